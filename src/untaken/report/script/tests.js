// Tests.

let testTable = null;

function tests() {
  if (testTable) return testTable.whole;
  const data = part("tests");
  const items = data.number.map((_, index) => index);
  testTable = new Table([
    { label: "test", width: "64px", number: true, value: (index) => data.number[index], cell: (index) => link(`#/test/${data.number[index]}`, String(data.number[index])) },
    { label: "at", width: "72px", number: true, value: (index) => data.seconds[index] ?? -1, cell: (index) => clock(data.seconds[index]) },
    { label: "execution", width: "80px", number: true, wide: true, value: (index) => data.iteration[index], cell: (index) => number(data.iteration[index]) },
    { label: "covers first", width: "84px", number: true, value: (index) => data.covers[index].length },
    { label: "bytes", width: "64px", number: true, wide: true, value: (index) => data.input[index].size, cell: (index) => number(data.input[index].size) },
    { label: "end", width: "minmax(90px, 1fr)", value: (index) => data.exit[index] },
    { label: "input", width: "minmax(80px, 2fr)", wide: true, value: (index) => shortInput(data.input[index]), cell: (index) => make("code", {}, shortInput(data.input[index])) },
  ], items, (index) => `${data.number[index]} ${data.exit[index]} ${data.finding[index] || ""} ${shortInput(data.input[index])}`,
  (index) => { location.hash = `#/test/${data.number[index]}`; });
  testTable.whole = testTable.view();
  return testTable.whole;
}

const shortInput = (input) => input.fields.filter(([, kind]) => kind !== "length").slice(0, 6)
  .map(([name, kind, , , value]) => (["stdin", "file", "argument"].includes(kind) ? String(value).replace(/(\\0)+$/, "") : `${name} = ${value}`)).join("  ").slice(0, 120);

function testDetails(wanted) {
  const data = part("tests");
  const index = data.number.indexOf(wanted);
  if (index < 0) return [detailHead(`test ${wanted}`), make("p", {}, "There is no such test.")];
  const covers = data.covers[index];
  const shown = covers.slice(0, 400);
  return [detailHead(`test ${wanted}`),
    make("p", {}, data.exit[index], `, execution ${number(data.iteration[index])}`, data.seconds[index] === null ? "" : `, after ${clock(data.seconds[index])}`),
    data.finding[index] ? make("p", {}, "shows ", link(`#/finding/${encodeURIComponent(data.finding[index])}`, data.finding[index])) : null,
    make("h3", {}, "Run it again"), command(data.replay[index]),
    ...inputParts(data.input[index], 8),
    make("h3", {}, covers.length ? `First to cover ${counted(covers.length, "branch").replace(/branchs$/, "branches")}` : "First to cover no branch"),
    make("ul", { className: "chips" }, ...shown.map((branch) => make("li", {}, branchLink(branch)))),
    covers.length > shown.length ? make("p", { className: "soft" }, `and ${number(covers.length - shown.length)} more`) : null];
}
