// Files and functions.

function code() {
  const { functions, totals } = program();
  const every = functions.name.map((_, index) => index).filter((index) => totals.total[index] > 0);
  const whole = head.files.map((_, file) => {
    const own = every.filter((index) => functions.file[index] === file);
    return { covered: own.reduce((sum, index) => sum + totals.covered[index], 0), total: own.reduce((sum, index) => sum + totals.total[index], 0) };
  });
  const items = [
    ...every.map((index) => ({ kind: "function", name: functions.name[index], file: functions.file[index],
      line: functions.line[index], covered: totals.covered[index], total: totals.total[index] })),
    ...whole.map((sums, file) => ({ kind: "file", name: head.files[file], file, line: 1, ...sums })).filter((each) => each.total),
  ];
  const table = new Table([
    { label: "name", width: "minmax(120px, 2fr)", value: (item) => item.name, cell: (item) => link(`#/source/${item.file}/${item.line}`, item.name) },
    { label: "place", width: "minmax(100px, 2fr)", wide: true, value: (item) => `${head.files[item.file]}:${String(item.line).padStart(8, "0")}`,
      cell: (item) => `${head.files[item.file]}:${item.line}` },
    { label: "missing", width: "64px", number: true, value: (item) => item.total - item.covered },
    { label: "branches", width: "64px", number: true, wide: true, value: (item) => item.total },
    { label: "covered", width: "minmax(110px, 1fr)", value: (item) => item.covered / item.total, cell: shareCell },
  ], items, (item) => `${item.name} ${head.files[item.file]}`, (item) => { location.hash = `#/source/${item.file}/${item.line}`; });
  return table.view(kindChoice(table));
}

function shareCell(item) {
  return make("span", { className: "share" }, coverageBar(item.covered, item.total),
    make("span", { className: "number", style: "width:44px" }, `${percent(item.covered, item.total)} %`));
}

let chosenKind = "function";

function kindChoice(table) {
  const group = make("span", { role: "group" });
  const choose = (kind) => {
    chosenKind = kind;
    table.filters = [(item) => item.kind === kind];
    for (const button of group.children) button.ariaPressed = String(button.value === kind);
    table.update();
  };
  for (const [kind, words] of [["function", "functions"], ["file", "files"]]) {
    const button = make("button", { type: "button", value: kind, style: "margin-right:4px" }, words);
    button.addEventListener("click", () => choose(kind));
    group.append(button);
  }
  choose(chosenKind);
  return group;
}
