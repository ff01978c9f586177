// Modified condition/decision coverage.

function independence() {
  const known = head.mcdc;
  const page = make("div", { className: "page" },
    make("div", { className: "headline" }, `${percent(known.shown, known.conditions)} % `,
      make("small", {}, `${number(known.shown)} of ${counted(known.conditions, "condition")} shown to decide on their own`)),
    coverageBar(known.shown, known.conditions),
    make("p", { className: "soft" }, `MC/DC, ${known.kind}: of each condition two tests in which it decides, is true and is false, and the outcomes differ. T and F are the values of the conditions of the decision in the order of evaluation; - was not evaluated.`));
  const heads = ["condition", "when true", "when false", "by"];
  for (const decision of known.decisions) {
    page.append(make("h3", {}, placeLink(decision.at), ` in ${decision.function}`), make("table", { className: "plain pairs" },
      make("thead", {}, make("tr", {}, ...heads.map((name) => make("th", {}, name)))),
      make("tbody", {}, ...decision.conditions.map((condition, index) => pairRow(condition, index, decision.conditions.length)))));
  }
  return page;
}

function placeLink(at) {
  const [, path, line] = /^(.*?)(?::(\d+))?(?::\d+)?$/.exec(at);
  const file = head.files.findIndex((name) => path === name || path.endsWith(`/${name}`));
  return file < 0 || !line ? at : link(`#/source/${file}/${line}`, `${head.files[file]}:${line}`);
}

function pairRow(condition, index, total) {
  const text = condition.text ? [": ", make("code", {}, condition.text)] : [` at ${condition.at.split("/").pop()}`];
  const name = make("td", {}, `${index + 1} of ${total}`, ...text);
  if (!condition.pair) return make("tr", {}, name, make("td", { colSpan: 3, className: "missing" }, condition.why));
  const side = (shown, outcome) => make("td", {}, testLink(Number(shown.test)), " ", make("code", {}, `${shown.values} → ${outcome ? "T" : "F"}`));
  const { true: one, false: other, outcome_when_true: outcome, unique_cause: unique } = condition.pair;
  return make("tr", {}, name, side(one, outcome), side(other, !outcome), make("td", {}, unique ? "unique cause" : "masking"));
}
