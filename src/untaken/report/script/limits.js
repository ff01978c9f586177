// What was not followed, and what that hides.

function lostPlaces() {
  const rows = head.lost.map((place) => {
    const where = `${place.exact ? "" : "after "}${place.file < 0 ? "" : head.files[place.file] + ":"}${place.line}`;
    const hides = place.hides.flatMap((branch, index) => [index ? ", " : "", branchLink(branch)]);
    if (place.more) hides.push(` and ${number(place.more)} more`);
    if (place.behind > place.hides.length + place.more) hides.push(`: ${number(place.behind)} uncovered branches in all`);
    return make("tr", {},
      make("td", {}, place.file < 0 ? where : link(`#/source/${place.file}/${place.line}`, where), make("br"), make("code", { className: "soft" }, place.function)),
      make("td", {}, place.kind.split(": ")[0]), make("td", {}, ...(hides.length ? hides : [make("span", { className: "soft" }, "nothing that is uncovered, as far as the text tells")])));
  });
  return make("table", { className: "plain lost" },
    make("thead", {}, make("tr", {}, ...["where", "lost to", "hides"].map((name) => make("th", {}, name)))), make("tbody", {}, ...rows));
}

function limits() {
  const known = head.limits;
  const page = make("div", { className: "page" });
  const table = (rows, names) => make("table", { className: "plain" },
    make("thead", {}, make("tr", {}, ...names.map((name, index) => make("th", { className: index ? "number" : "" }, name)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell, index) =>
      make("td", { className: index ? "number" : "" }, index ? number(cell) : cell))))));
  const list = (rows) => make("ul", {}, ...rows.map((row) => make("li", {}, row)));
  const add = (title, words, body) => page.append(make("h2", {}, title), make("p", { className: "soft" }, words), body);
  if (known.doubts.length) add("Why nothing is claimed about all paths", "There may be paths that were not seen, because", list(known.doubts));
  if (known.concretised.length) {
    add("What was concretised", "Values that depend on the input and could not be followed: their concrete value was used, and no flip looks behind it. Branches that depend on them alone count as concrete.",
      table(known.concretised, ["lost to", "times"]));
  }
  if (head.lost.length) add("Where values were lost, and what that hides", "By line of the source. What it hides is read off the source's text: branches that nothing was seen to decide but what is computed from such a value.", lostPlaces());
  if (known.externals.length) {
    add("Functions without a model", "The input went into them as concrete values. What they return or write was not followed.", table(known.externals, ["function", "calls"]));
  }
  if (known.pins) add("Pinned addresses and sizes", "Places in memory that depend on the input were explored with the value that they had.", table([["pins", known.pins]], ["", "times"]));
  if (known.cut_off.length) add("Runs that outgrew their trace", "What came after was not followed.", table(known.cut_off, ["what was full", "runs"]));
  if (known.uninstrumented.length) add("Libraries that are not instrumented", "Nothing is seen of what they do: build them with untaken cc, too.", list(known.uninstrumented));
  if (known.notes.length) add("Notes", "Of the machine that the campaign ran on.", list(known.notes));
  if (!page.childElementCount) page.append(make("p", { className: "soft" }, "Nothing: all that depends on the input was followed."));
  return page;
}
