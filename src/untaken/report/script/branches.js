// All branches.

function branches(reason) {
  const { conditions, functions, reasons } = program();
  const items = conditions.tests.map((_, slot) => slot).filter((slot) => conditions.tests[slot] >= 0);
  const idOf = (slot) => conditions.id[slot >> 1] + (slot & 1);
  const table = new Table([
    { label: "branch", width: "minmax(170px, 2fr)", value: (slot) => `${head.files[conditions.file[slot >> 1]]}:${String(conditions.line[slot >> 1]).padStart(8, "0")}`,
      cell: (slot) => branchLink(idOf(slot)) },
    { label: "function", width: "minmax(80px, 1fr)", wide: true, value: (slot) => functions.name[conditions.function[slot >> 1]] },
    { label: "tests", width: "56px", number: true, wide: true, value: (slot) => conditions.tests[slot] },
    { label: "first", width: "72px", number: true, wide: true, value: (slot) => conditions.first[slot],
      cell: (slot) => (conditions.first[slot] ? testLink(conditions.first[slot]) : "") },
    { label: "opens", width: "56px", number: true, wide: true, value: (slot) => conditions.opens[slot], cell: (slot) => (conditions.opens[slot] ? number(conditions.opens[slot]) : "") },
    { label: "why not", width: "minmax(110px, 2fr)", value: (slot) => reasons[conditions.why[slot]] || "" },
  ], items, (slot) => `${branchName(idOf(slot))} ${functions.name[conditions.function[slot >> 1]]} ${reasons[conditions.why[slot]] || ""}`,
  (slot) => { location.hash = `#/branch/${idOf(slot)}`; });
  return table.view(reasonChoice(table, items, reason));
}

function reasonChoice(table, items, reason) {
  const { conditions, reasons } = program();
  const counts = { all: items.length, covered: 0, uncovered: 0 };
  for (const slot of items) {
    const why = conditions.why[slot];
    counts[why ? "uncovered" : "covered"] += 1;
    if (why) counts[why] = (counts[why] || 0) + 1;
  }
  const choice = make("select", { ariaLabel: "Which branches" }, ...Object.entries(counts).map(([name, count]) =>
    make("option", { value: name, selected: name === reason }, `${reasons[name] || name} (${number(count)})`)));
  const choose = () => {
    const wanted = choice.value;
    table.filters = [(slot) => wanted === "all" || (wanted === "covered" ? !conditions.why[slot]
      : wanted === "uncovered" ? Boolean(conditions.why[slot]) : conditions.why[slot] === wanted)];
    table.update();
  };
  choice.addEventListener("change", choose);
  choose();
  return choice;
}
