// Source.

const sourceLines = (() => {
  const split = [];
  return (file) => (split[file] ??= (part("sources")[file] ?? "").split("\n").map((line) => line.replace(/\r$/, "")));
})();

function sourceLine(condition) {
  const { conditions } = program();
  return (sourceLines(conditions.file[condition])[conditions.line[condition] - 1] || "").trim().slice(0, 200);
}

let source = null;

function sourceView(file, line) {
  if (!source || source.file !== file) source = makeSource(file);
  return { view: source.view, ready: () => { if (line) source.rows.select(source.at(line)); } };
}

function makeSource(file) {
  const { lines } = program();
  const text = sourceLines(file);
  // Without the text there are still the lines that have branches.
  const known = part("sources")[file] === null ? [...lines[file].keys()].sort((a, b) => a - b) : null;
  const lineOf = (index) => (known ? known[index] : index + 1);
  const at = (line) => (known ? Math.max(0, known.findIndex((each) => each >= line)) : line - 1);
  const rows = new Rows(LINE, (index) => drawLine(file, lineOf(index), known ? "" : text[index]),
    (index) => { if (lines[file].has(lineOf(index))) location.hash = `#/line/${file}/${lineOf(index)}`; });
  const choice = make("select", { ariaLabel: "File" }, ...head.files.map((name, index) =>
    make("option", { value: index, selected: index === file }, name)));
  choice.addEventListener("change", () => { location.hash = `#/source/${choice.value}/1`; });
  const step = (way) => {
    const next = nextMissing(file, lineOf(Math.max(0, rows.selected)), way);
    if (next !== null) location.hash = `#/line/${file}/${next}`;
  };
  const button = (words, way) => {
    const made = make("button", { type: "button" }, words);
    made.addEventListener("click", () => step(way));
    return made;
  };
  if (!known) rows.inner.style.setProperty("--longest", Math.max(0, ...text.map(columns)));
  const missing = known ? "the source is not here, or too large" : "";
  const view = make("div", { className: "full source" },
    make("div", { className: "tools" }, choice, button("previous uncovered", -1), button("next uncovered", 1),
      make("span", { className: "soft" }, missing || fileShare(file))), rows.host);
  rows.show(known ? known.length : text.length);
  return { file, view, rows, step, at };
}

const TAB = 8;
const columns = (line) => [...line].reduce((at, character) => (character === "\t" ? at + TAB - (at % TAB) : at + 1), 0);

function fileShare(file) {
  const { conditions } = program();
  let [covered, total] = [0, 0];
  conditions.file.forEach((each, index) => {
    if (each !== file) return;
    for (const tests of conditions.tests.slice(2 * index, 2 * index + 2)) {
      total += tests >= 0 ? 1 : 0;
      covered += tests > 0 ? 1 : 0;
    }
  });
  return `${number(covered)} of ${number(total)} branches`;
}

function nextMissing(file, from, way) {
  const { lines } = program();
  const open = [...lines[file]].filter(([, conditions]) => conditions.some((condition) =>
    ["missing", "unreached"].some((word) => [0, 1].some((side) => state(2 * condition + side) === word))))
    .map(([line]) => line).sort((a, b) => a - b);
  const found = way > 0 ? open.find((line) => line > from) : open.findLast((line) => line < from);
  return found ?? null;
}

function drawLine(file, line, text) {
  const { lines } = program();
  const here = lines[file].get(line);
  const row = make("div", { className: "line" }, make("span", { className: "gutter" }, make("span", { className: "at" }, String(line)), marks(here)), make("span", {}, text));
  if (here) {
    row.classList.add("has");
    row.classList.toggle("missing", here.some((condition) => [0, 1].some((side) => state(2 * condition + side) === "missing")));
  }
  return row;
}

function marks(here) {
  const most = narrow.matches ? 2 : 3;
  const shown = (here || []).slice(0, most).map((condition) => make("span", { className: "pair" }, mark(condition, 0), mark(condition, 1)));
  const more = here && here.length > most ? [make("span", { className: "soft" }, `+${here.length - most}`)] : [];
  return make("span", { className: "marks" }, ...shown, ...more);
}

function mark(condition, side) {
  const { conditions, reasons } = program();
  const slot = 2 * condition + side;
  const kind = state(slot);
  const words = kind === "taken" ? counted(conditions.tests[slot], "test") : reasons[conditions.why[slot]] || "";
  return make("span", { className: `side ${kind}`, title: `${sideWord(conditions.kind[condition], side)}: ${words}` }, side ? "F" : "T");
}
