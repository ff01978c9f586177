// Findings.

function findings(name) {
  const page = make("div", { className: "page" });
  if (!head.findings.length) page.append(make("p", { className: "soft" }, "Nothing was found to go wrong."));
  for (const finding of head.findings) {
    const card = make("section", { className: `card ${finding.confirmed ? "" : "unconfirmed"}`, id: `finding-${finding.name}`, tabIndex: -1 },
      make("h2", {}, told(finding)),
      make("p", { className: "soft" }, `${finding.name}: ${finding.kind}, seen ${counted(finding.times, "time")}, first in execution ${number(finding.iteration)}; `,
        finding.confirmed ? `confirmed on ${finding.confirmed_on}` : `not confirmed: ${[finding.confirmed_on, finding.shows].filter(Boolean).join(": ")}`),
      make("h3", {}, "See it again"), command(finding.replay),
      make("h3", {}, "Where"), frames(finding), ...inputParts(finding.input, narrow.matches ? 8 : 16));
    page.append(card);
  }
  return { view: page, ready: () => document.getElementById(`finding-${name}`)?.scrollIntoView() };
}

function frames(finding) {
  if (!finding.frames.length) return make("p", {}, finding.location || "not known");
  return make("ol", { className: "frames" }, ...finding.frames.map((frame, index) => {
    const file = head.files.findIndex((name) => frame.file === name || frame.file.endsWith(`/${name}`));
    const place = `${file < 0 ? frame.file : head.files[file]}:${frame.line}`;
    return make("li", {}, `${index ? "from" : "in"} ${frame.function}, `, file < 0 ? place : link(`#/source/${file}/${frame.line}`, place));
  }));
}
