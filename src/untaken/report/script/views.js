// Going from view to view.

const VIEWS = {
  overview: ["Overview", overview], code: ["Functions", code], source: ["Source", null], branches: ["Branches", branches],
  findings: ["Findings", findings], tests: ["Tests", tests], limits: ["Limits", limits],
};
let shownView = "";

function detailHead(title) {
  const close = make("button", { type: "button", ariaLabel: "Close" }, "×");
  close.addEventListener("click", closeDetails);
  return make("header", {}, make("h2", {}, title), close);
}

function details(parts) {
  aside.replaceChildren(...(parts || []).filter(Boolean));
  aside.hidden = !parts;
  aside.scrollTop = 0;
}

function closeDetails() {
  details(null);
  main.querySelector(".rows")?.focus();
}

function show(name, key, build) {
  for (const each of document.querySelectorAll("nav a")) {
    if (each.dataset.view === name) {
      each.setAttribute("aria-current", "page");
      each.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else each.removeAttribute("aria-current");
  }
  if (shownView === key) return;
  shownView = key;
  main.replaceChildren(build());
  main.scrollTop = 0;
}

// The details first: on a narrow screen they leave less room for the lines.
function showSource(file, line, beside) {
  const { view, ready } = sourceView(file, line);
  show("source", `source/${file}`, () => view);
  details(beside);
  ready();
}

function route() {
  const [name, one, two] = location.hash.slice(2).split("/").map((word) => { try { return decodeURIComponent(word); } catch { return word; } });
  const valid = (file) => Number.isInteger(file) && file >= 0 && file < head.files.length;
  if (name === "branch" && program().is(Number(one)) !== undefined) {
    const { conditions, is } = program();
    const condition = is(Number(one));
    const [file, line] = [conditions.file[condition], conditions.line[condition]];
    showSource(file, line, lineDetails(file, line, Number(one)));
  } else if ((name === "line" || name === "source") && valid(Number(one ?? 0))) {
    const [file, line] = [Number(one ?? 0), Number(two) || 0];
    showSource(file, line, name === "line" ? lineDetails(file, line) : null);
  } else if (name === "test") {
    show("tests", "tests", tests);
    details(testDetails(Number(one)));
    const row = testTable.shown.findIndex((index) => part("tests").number[index] === Number(one));
    if (row >= 0) testTable.rows.select(row);
  } else if (name === "finding" || name === "findings") {
    const { view, ready } = findings(one);
    shownView = "";
    show("findings", "findings", () => view);
    details(null);
    ready();
  } else {
    const known = name in VIEWS && VIEWS[name][1] ? name : "overview";
    show(known, `${known}/${one ?? ""}`, () => VIEWS[known][1](one));
    details(null);
  }
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") {
    if (document.activeElement?.matches("input")) document.activeElement.blur();
    else closeDetails();
    return;
  }
  if (event.target.matches("input, select, textarea")) return;
  const names = Object.keys(VIEWS);
  if (event.key >= "1" && event.key <= String(names.length)) location.hash = `#/${names[Number(event.key) - 1]}`;
  else if (event.key === "/") main.querySelector("input[type=search]")?.focus();
  else if (event.key === "n" || event.key === "p") {
    if (shownView.startsWith("source/")) source.step(event.key === "n" ? 1 : -1);
    else return;
  } else return;
  event.preventDefault();
}

function navigation() {
  const counts = { findings: head.findings.length, tests: head.tests, branches: head.branches_total };
  document.querySelector("nav").replaceChildren(...Object.entries(VIEWS).map(([name, [words]]) => {
    const entry = link(`#/${name}`, words);
    entry.dataset.view = name;
    if (counts[name]) entry.append(make("span", { className: `count${name === "findings" ? " bad" : ""}` }, number(counts[name])));
    return entry;
  }));
}
