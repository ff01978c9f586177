// The first view.

function overview() {
  const page = make("div", { className: "page" });
  const share = percent(head.branches_covered, head.branches_total);
  page.append(
    make("div", { className: "headline" }, `${share} % `,
      make("small", {}, `${number(head.branches_covered)} of ${counted(head.branches_total, "branch").replace(/branchs$/, "branches")} covered`)),
    coverageBar(head.branches_covered, head.branches_total), figures());
  if (head.findings.length) page.append(make("h2", {}, "Findings"), findingList());
  const next = nextBranches();
  if (next) page.append(make("h2", {}, "Where to look next"), next);
  page.append(make("h2", {}, "Coverage"), curve(), make("h2", {}, "Time"), time(), make("h2", {}, "Keys"), keys());
  return page;
}

function figures() {
  const rows = {
    ...(head.branches_reachable < head.branches_total ? { "in reached functions": number(head.branches_reachable) } : {}),
    "tests": number(head.tests),
    "executions": number(head.iterations),
    "seconds": head.seconds.toFixed(1),
    "solver questions": number(head.solver.queries),
    "divergences": number(head.divergences),
    "strategy, seed": `${head.strategy}, ${head.seed}`,
    [live ? "now" : "ended"]: live && head.running ? "at work" : head.ended,
  };
  return make("dl", { className: "figures" },
    ...Object.entries(rows).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))));
}

const SVG = "http://www.w3.org/2000/svg";
function drawn(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text) element.textContent = text;
  return element;
}

function curve() {
  const host = make("div");
  const draw = (axis) => host.replaceChildren(axisButtons(axis, draw), plot(axis));
  draw(1);
  return host;
}

function axisButtons(axis, draw) {
  return make("div", { style: "display:flex;gap:6px;margin-bottom:6px" }, ...[[1, "over seconds"], [0, "over executions"]].map(([which, words]) => {
    const button = make("button", { type: "button", ariaPressed: String(which === axis) }, words);
    button.addEventListener("click", () => draw(which));
    return button;
  }));
}

function plot(axis) {
  const [wide, high, left, bottom] = [narrow.matches ? 400 : 1000, narrow.matches ? 180 : 240, 46, 24];
  const picture = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, width: "100%", role: "img", "aria-label": "Branches covered over time" });
  const points = head.curve;
  if (points.length < 1) return make("p", { className: "soft" }, "Nothing was covered.");
  const end = axis === 1 ? Math.max(head.seconds, points.at(-1)[1]) : Math.max(head.iterations, points.at(-1)[0]);
  const most = Math.max(1, head.branches_total);
  const x = (value) => left + ((wide - left - 10) * value) / (end || 1);
  const y = (value) => (high - bottom) - ((high - bottom - 12) * value) / most;
  for (const mark of [0, 0.25, 0.5, 0.75, 1]) {
    const value = Math.round(mark * most);
    const at = y(value);
    picture.append(drawn("line", { x1: left, x2: wide - 10, y1: at, y2: at, stroke: "var(--line)" }),
      drawn("text", { x: left - 8, y: at + 4, "text-anchor": "end" }, number(value)));
  }
  const steps = [`M${x(0)},${y(0)}`];
  for (const point of points) steps.push(`H${x(point[axis]).toFixed(1)}V${y(point[2]).toFixed(1)}`);
  steps.push(`H${x(end).toFixed(1)}`);
  const line = steps.join("");
  picture.append(
    drawn("path", { d: `${line}V${y(0)}Z`, fill: "var(--taken-ground)" }),
    drawn("path", { d: line, fill: "none", stroke: "var(--taken)", "stroke-width": 2, "stroke-linejoin": "round" }),
    drawn("text", { x: left, y: high - 6 }, "0"),
    drawn("text", { x: wide - 10, y: high - 6, "text-anchor": "end" }, axis === 1 ? clock(end) : counted(end, "execution")));
  return picture;
}

function time() {
  const parts = [["var(--taken)", head.time.run, "running the program"], ["var(--missing)", head.time.solve, "solving"],
    ["var(--unreached)", head.time.choose, "choosing branches, reading traces, keeping tests"]];
  const total = parts.reduce((sum, [, value]) => sum + value, 0) || 1;
  return make("div", {}, bar(parts), make("ul", { className: "legend" }, ...parts.map(([colour, value, words]) =>
    make("li", {}, make("i", { style: `background:${colour}` }), `${words} ${Math.round((100 * value) / total)} % (${clock(value)})`))));
}

const told = (finding) => [finding.what, finding.cause].filter(Boolean).join(": ");

function findingList() {
  return make("ul", { className: "next" }, ...head.findings.map((finding) =>
    make("li", {}, link(`#/finding/${encodeURIComponent(finding.name)}`, told(finding)), finding.confirmed ? "" : ", not confirmed",
      finding.location ? make("div", { className: "mono" }, placeLink(finding.location)) : null)));
}

function nextBranches() {
  const { conditions, said } = program();
  const open = [];
  conditions.opens.forEach((opens, slot) => { if (opens) open.push(slot); });
  open.sort((one, other) => conditions.opens[other] - conditions.opens[one]);
  if (!open.length) return null;
  const items = open.slice(0, 8).map((slot) => {
    const branch = conditions.id[slot >> 1] + (slot & 1);
    const opens = conditions.opens[slot] > 1 ? ` opens ${number(conditions.opens[slot])} branches` : "";
    return make("li", {}, branchLink(branch), make("span", { className: "soft" }, opens),
      make("div", { className: "mono" }, sourceLine(slot >> 1)), make("div", { className: "soft" }, said[branch] || ""));
  });
  return make("ul", { className: "next" }, ...items);
}

function keys() {
  const known = [["1 to 7", "views"], ["/", "filter"], ["n, p", "next and previous uncovered branch of a file"],
    ["↑ ↓ Enter", "rows"], ["Esc", "close details"]];
  return make("ul", { className: "legend" }, ...known.map(([key, words]) => make("li", {}, make("kbd", {}, key), ` ${words}`)));
}
