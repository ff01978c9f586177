"use strict";
// Shows the data of this page. All of it is written as text; rows are built when they come into view.

const parts = {};
const part = (name) => (parts[name] ??= JSON.parse(document.getElementById("data-" + name).textContent));
let head = part("head");
const live = Boolean(document.documentElement.dataset.live);
const main = document.querySelector("main");
const aside = document.querySelector("aside");
const narrow = window.matchMedia("(max-width: 760px)");
const LINE = 21;
const ROW = 30;

// ---- elements

function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (name === "style") element.style.cssText = value;
    else if (name in element && name !== "list") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const link = (to, ...words) => make("a", { href: to }, ...words);
const number = (value) => value.toLocaleString("en");
const counted = (value, noun) => `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
// Not 100 before all is covered.
const percent = (covered, total) => (covered < total ? Math.min(99, Math.round((100 * covered) / total)) : 100);

function clock(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.floor(seconds);
  const rest = String(whole % 60).padStart(2, "0");
  return whole < 3600 ? `${Math.floor(whole / 60)}:${rest}`
    : `${Math.floor(whole / 3600)}:${String(Math.floor(whole / 60) % 60).padStart(2, "0")}:${rest}`;
}

function bar(parts) {
  const total = parts.reduce((sum, [, value]) => sum + value, 0) || 1;
  return make("div", { className: "bar" },
    ...parts.map(([colour, value]) => make("i", { style: `width:${(100 * value) / total}%;background:${colour}` })));
}

const coverageBar = (covered, total) => bar([["var(--taken)", covered], ["transparent", total - covered]]);

// ---- the program

let readOnce = null;
const program = () => (readOnce ??= readProgram(part("branches")));

function readProgram(data) {
  const { functions, conditions } = data;
  const place = new Map(conditions.id.map((id, index) => [id, index]));
  const lines = head.files.map(() => new Map());
  const size = functions.name.length;
  const totals = { covered: new Int32Array(size), total: new Int32Array(size) };
  conditions.id.forEach((_, index) => {
    const line = lines[conditions.file[index]];
    const known = line.get(conditions.line[index]);
    if (known) known.push(index);
    else line.set(conditions.line[index], [index]);
    for (const side of [0, 1]) {
      const tests = conditions.tests[2 * index + side];
      if (tests < 0) continue;
      totals.total[conditions.function[index]] += 1;
      totals.covered[conditions.function[index]] += tests > 0 ? 1 : 0;
    }
  });
  return { ...data, place, lines, totals, is: (branch) => place.get(branch & ~1) };
}

const location_ = (condition) => {
  const { conditions } = program();
  return `${head.files[conditions.file[condition]]}:${conditions.line[condition]}`;
};

function sideWord(kind, side) {
  if (kind === "case") return side ? "not this case" : "this case";
  return side ? "false" : "true";
}

function branchName(branch) {
  const { conditions, is } = program();
  const condition = is(branch);
  return `${location_(condition)} ${sideWord(conditions.kind[condition], branch & 1)}`;
}

const branchLink = (branch) => link(`#/branch/${branch}`, branchName(branch));
const testLink = (test) => link(`#/test/${test}`, `test ${test}`);

function state(slot) {
  const { conditions } = program();
  if (conditions.tests[slot] < 0) return "none";
  if (conditions.tests[slot] > 0) return "taken";
  return ["guarded", "unreached"].includes(conditions.why[slot]) ? "unreached" : "missing";
}

// ---- lists of which only what is in view is built

class Rows {
  constructor(height, render, open) {
    this.height = height;
    this.render = render;
    this.open = open;
    this.count = 0;
    this.selected = -1;
    this.inner = make("div");
    this.host = make("div", { className: "rows", tabIndex: 0, role: "rowgroup" }, this.inner);
    this.host.addEventListener("scroll", () => this.draw(), { passive: true });
    this.host.addEventListener("keydown", (event) => this.key(event));
    this.host.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(this.host);
  }

  show(count) {
    this.count = count;
    this.inner.style.height = `${count * this.height}px`;
    this.drawn = null;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.host.scrollTop / this.height) - 10);
    const last = Math.min(this.count, Math.ceil((this.host.scrollTop + this.host.clientHeight) / this.height) + 10);
    const window = `${first}-${last}-${this.selected}`;
    if (this.drawn === window) return;
    this.drawn = window;
    const rows = [];
    for (let index = first; index < last; index += 1) {
      const row = this.render(index);
      row.style.transform = `translateY(${index * this.height}px)`;
      row.dataset.index = index;
      row.classList.toggle("selected", index === this.selected);
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
  }

  select(index) {
    this.selected = Math.max(0, Math.min(this.count - 1, index));
    const top = this.selected * this.height;
    const view = this.host.clientHeight;
    if (top < this.host.scrollTop || top + this.height > this.host.scrollTop + view) {
      this.host.scrollTop = Math.max(0, top - view / 3);
    }
    this.draw();
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.host.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.target !== this.host || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      this.select(this.selected < 0 ? 0 : this.selected + steps[event.key]);
      event.preventDefault();
    } else if (event.key === "Enter" && this.selected >= 0) {
      this.open(this.selected);
    }
  }

  click(event) {
    const row = event.target.closest("[data-index]");
    if (!row || event.target.closest("a") || String(getSelection())) return;
    this.selected = Number(row.dataset.index);
    this.draw();
    this.open(this.selected);
  }
}

const orders = {}; // how tables were sorted, by the labels of their columns

// A table that is sorted and filtered. Columns: label, width, value(item), cell(item), and whether numbers, or wide.
class Table {
  constructor(columns, items, text, open) {
    this.columns = columns;
    this.items = items;
    this.text = text;
    this.shown = items;
    this.filters = [];
    this.name = columns.map((column) => column.label).join();
    const [label, down] = orders[this.name] || [];
    this.sorted = columns.find((column) => column.label === label) || null;
    this.down = Boolean(down);
    this.rows = new Rows(ROW, (index) => this.row(this.shown[index]), (index) => open(this.shown[index]));
    this.heads = make("div", { className: "row heads", role: "row" });
    this.counter = make("span", { className: "soft", role: "status" });
    this.empty = make("p", { className: "empty", hidden: true }, "Nothing here.");
    this.search = make("input", { type: "search", placeholder: "filter (press /)", ariaLabel: "Filter" });
    this.search.addEventListener("input", () => this.update());
    narrow.addEventListener("change", () => this.layout());
    this.layout();
  }

  view(...tools) {
    const bar = make("div", { className: "tools" }, this.search, ...tools, this.counter);
    return make("div", { className: "full", role: "table" }, bar, this.heads, this.rows.host, this.empty);
  }

  layout() {
    this.visible = this.columns.filter((column) => !(column.wide && narrow.matches));
    const widths = this.visible.map((column) => column.width).join(" ");
    this.heads.style.setProperty("--columns", widths);
    this.rows.host.style.setProperty("--columns", widths);
    this.heads.replaceChildren(...this.visible.map((column) => {
      const button = make("button", { type: "button" }, column.label);
      button.addEventListener("click", () => this.sort(column));
      const order = this.sorted === column ? (this.down ? "descending" : "ascending") : "none";
      return make("span", { role: "columnheader", "aria-sort": order, className: column.number ? "number" : "" }, button);
    }));
    this.update();
  }

  sort(column) {
    this.down = this.sorted === column ? !this.down : Boolean(column.number);
    this.sorted = column;
    orders[this.name] = [column.label, this.down];
    this.layout();
    this.rows.host.scrollTop = 0;
  }

  update() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const allowed = this.items.filter((item) => this.filters.every((filter) => filter(item)));
    this.shown = words.length ? allowed.filter((item) => {
      const text = this.text(item).toLowerCase();
      return words.every((word) => text.includes(word));
    }) : allowed;
    if (this.sorted) this.order();
    this.rows.selected = -1;
    this.counter.textContent = this.shown.length === allowed.length ? number(allowed.length)
      : `${number(this.shown.length)} of ${number(allowed.length)}`;
    this.empty.hidden = this.shown.length > 0;
    this.rows.show(this.shown.length);
  }

  order() {
    const keys = new Map(this.shown.map((item) => [item, this.sorted.value(item)]));
    const way = this.down ? -1 : 1;
    this.shown.sort((one, other) => {
      const [a, b] = [keys.get(one), keys.get(other)];
      return way * (a < b ? -1 : a > b ? 1 : 0);
    });
  }

  row(item) {
    return make("div", { className: "row", role: "row" }, ...this.visible.map((column) => {
      const cell = make("span", { role: "cell", className: column.number ? "number" : "" });
      cell.append(column.cell ? column.cell(item) : String(column.value(item)));
      return cell;
    }));
  }
}

// ---- the first view

function overview() {
  const page = make("div", { className: "page" });
  const share = percent(head.branches_covered, head.branches_total);
  page.append(
    make("div", { className: "headline" }, `${share} % `,
      make("small", {}, `${number(head.branches_covered)} of ${counted(head.branches_total, "branch").replace(/branchs$/, "branches")} covered`)),
    coverageBar(head.branches_covered, head.branches_total),
    figures(), make("h2", {}, "Coverage"), curve(), make("h2", {}, "Time"), time());
  if (head.findings.length) page.append(make("h2", {}, "Findings"), findingList());
  const next = nextBranches();
  if (next) page.append(make("h2", {}, "Where to look next"), next);
  page.append(make("h2", {}, "Keys"), keys());
  return page;
}

function figures() {
  const rows = {
    "in functions that were reached": number(head.branches_reachable),
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

function findingList() {
  return make("ul", { className: "next" }, ...head.findings.map((finding) =>
    make("li", {}, link(`#/finding/${encodeURIComponent(finding.name)}`, finding.what),
      make("div", { className: "mono" }, [finding.location, finding.confirmed ? "" : "not confirmed"].filter(Boolean).join(", ")))));
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

// ---- files and functions

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

// ---- source

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
  const missing = known ? "the source is not here, or too large" : "";
  const view = make("div", { className: "full source" },
    make("div", { className: "tools" }, choice, button("previous uncovered", -1), button("next uncovered", 1),
      make("span", { className: "soft" }, missing || fileShare(file))), rows.host);
  rows.show(known ? known.length : text.length);
  return { file, view, rows, step, at };
}

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
  const row = make("div", { className: "line" }, make("span", { className: "at" }, String(line)), marks(here), make("span", {}, text));
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

// ---- details of a line

function lineDetails(file, line, branch) {
  const { lines, conditions } = program();
  const here = lines[file].get(line) || [];
  const text = (sourceLines(file)[line - 1] || "").trim();
  return [detailHead(`${head.files[file]}:${line}`), text ? make("pre", {}, text) : null,
    ...here.flatMap((condition) => [
      make("h3", {}, `${conditions.kind[condition]} in ${program().functions.name[conditions.function[condition]]}, column ${conditions.column[condition]}`),
      way(condition, 0, branch), way(condition, 1, branch)])];
}

function way(condition, side, branch) {
  const { conditions } = program();
  const slot = 2 * condition + side;
  if (conditions.tests[slot] < 0) return null;
  const own = conditions.id[condition] + side;
  const words = make("div", {}, make("p", {}, make("strong", {}, sideWord(conditions.kind[condition], side))));
  if (conditions.tests[slot] > 0) {
    const first = conditions.first[slot];
    words.append(make("p", {}, `taken by ${counted(conditions.tests[slot], "test")}`, ...(first ? [", first by ", testLink(first)] : [])));
  } else {
    words.append(whyNot(slot, own));
  }
  return make("div", { className: "way", style: own === branch ? "background:var(--selected)" : "" }, mark(condition, side), words);
}

function whyNot(slot, branch) {
  const { conditions, said } = program();
  const guard = conditions.guard[slot];
  if (said[branch]) return make("div", {}, make("p", {}, said[branch]), ...readNames(branch));
  if (guard) return make("p", {}, "Never reached: ", branchLink(guard), " guards it, and was not taken.");
  return make("p", {}, "Never reached. No uncovered branch beside a covered one leads here by calls of a name: its function is called ",
    "through a pointer or not at all, or runs ended before they came here.");
}

// What a concrete condition reads, and who stores that.
function readNames(branch) {
  const { reads, functions } = program();
  return (reads[branch] || []).map(([name, parameter, places, more]) => {
    const stored = places.flatMap(([file, line, owner], index) => [index ? ", " : "",
      link(`#/source/${file}/${line}`, `${head.files[file]}:${line}`), owner < 0 ? "" : ` in ${functions.name[owner]}`]);
    const words = parameter ? [" is a parameter: who calls the function gives it", ...(places.length ? ["; stored at ", ...stored] : [])]
      : places.length ? [" is stored at ", ...stored] : [" is stored nowhere in these sources by that name"];
    return make("p", { className: "soft" }, make("code", {}, name), ...words, more ? " and elsewhere" : "");
  });
}

// ---- all branches

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

// ---- tests

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
    make("h3", {}, "Run it again"), make("code", { className: "command" }, data.replay[index]),
    ...inputParts(data.input[index], 8),
    make("h3", {}, covers.length ? `First to cover ${counted(covers.length, "branch").replace(/branchs$/, "branches")}` : "First to cover no branch"),
    make("ul", { className: "chips" }, ...shown.map((branch) => make("li", {}, branchLink(branch)))),
    covers.length > shown.length ? make("p", { className: "soft" }, `and ${number(covers.length - shown.length)} more`) : null];
}

// ---- inputs

function inputParts(input, perLine) {
  if (!input) return [make("p", { className: "soft" }, "The input is not here any more.")];
  const bytes = Uint8Array.from(atob(input.data), (character) => character.charCodeAt(0));
  const cut = bytes.length < input.size ? ` (the first ${number(bytes.length)} of ${number(input.size)} bytes)` : "";
  const table = make("table", { className: "plain" }, make("tbody", {}, ...input.fields.map(([name, kind, , size, value]) =>
    make("tr", {}, make("td", { className: "name", title: name }, name), make("td", { className: "name soft" }, `${kind}, ${size}`), make("td", {}, make("code", {}, String(value)))))));
  return [make("h3", {}, "Input, as fields"), input.fields.length ? table : make("p", { className: "soft" }, "The program asked for nothing."),
    input.more ? make("p", { className: "soft" }, "and more fields, in the test's description") : null,
    ...textParts(input, bytes, cut),
    ...(bytes.length ? [make("h3", {}, `As hexadecimal${cut}`), make("pre", { className: "hex" }, hexOf(bytes, perLine))] : [])];
}

// What the program reads as text: each stream up to its length, which is a number before it.
function textParts(input, bytes, cut) {
  const parts = [];
  let length = Infinity;
  for (const [name, kind, offset, size, value] of input.fields) {
    if (["stdin", "file", "argument", "bytes"].includes(kind)) {
      parts.push(make("h3", {}, `As text: ${name || kind}${cut}`), make("pre", {}, textOf(bytes.subarray(offset, offset + Math.min(size, length)))));
    }
    length = kind === "length" ? value : Infinity;
  }
  return parts;
}

function textOf(bytes) {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  const shown = Array.from(bytes.subarray(0, end), (byte) => (byte === 10 ? "\n" : byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
  return end < bytes.length ? `${shown}\n(then ${counted(bytes.length - end, "zero byte")})` : shown;
}

function hexOf(bytes, perLine) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += perLine) {
    const row = [...bytes.subarray(start, start + perLine)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ").padEnd(3 * perLine);
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${start.toString(16).padStart(6, "0")}  ${hex} ${text}`);
  }
  return lines.join("\n");
}

// ---- findings and limits

function findings(name) {
  const page = make("div", { className: "page" });
  if (!head.findings.length) page.append(make("p", { className: "soft" }, "Nothing was found to go wrong."));
  for (const finding of head.findings) {
    const card = make("section", { className: `card ${finding.confirmed ? "" : "unconfirmed"}`, id: `finding-${finding.name}`, tabIndex: -1 },
      make("h2", {}, finding.what),
      make("p", { className: "soft" }, `${finding.name}: ${finding.kind}, seen ${counted(finding.times, "time")}, first in execution ${number(finding.iteration)}; `,
        finding.confirmed ? `confirmed on ${finding.confirmed_on}` : `not confirmed: ${[finding.confirmed_on, finding.shows].filter(Boolean).join(": ")}`),
      make("h3", {}, "See it again"), make("code", { className: "command" }, finding.replay),
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

// ---- modified condition/decision coverage

function independence() {
  const known = head.mcdc;
  const page = make("div", { className: "page" },
    make("div", { className: "headline" }, `${percent(known.shown, known.conditions)} % `,
      make("small", {}, `${number(known.shown)} of ${counted(known.conditions, "condition")} shown to decide on their own`)),
    coverageBar(known.shown, known.conditions),
    make("p", { className: "soft" }, `MC/DC, ${known.kind}: of each condition two tests in which it decides, is true and is false, and the outcomes differ. T and F are the values of the conditions of the decision in the order of evaluation; - was not evaluated.`));
  const heads = ["condition", "when true", "when false", "by"];
  for (const decision of known.decisions) {
    page.append(make("h3", {}, placeLink(decision.at), ` in ${decision.function}`), make("table", { className: "plain" },
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

// ---- going from view to view

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

function showSource(file, line) {
  const { view, ready } = sourceView(file, line);
  show("source", `source/${file}`, () => view);
  ready();
}

function route() {
  const [name, one, two] = location.hash.slice(2).split("/").map((word) => { try { return decodeURIComponent(word); } catch { return word; } });
  const valid = (file) => Number.isInteger(file) && file >= 0 && file < head.files.length;
  if (name === "branch" && program().is(Number(one)) !== undefined) {
    const { conditions, is } = program();
    const condition = is(Number(one));
    showSource(conditions.file[condition], conditions.line[condition]);
    details(lineDetails(conditions.file[condition], conditions.line[condition], Number(one)));
  } else if ((name === "line" || name === "source") && valid(Number(one ?? 0))) {
    const [file, line] = [Number(one ?? 0), Number(two) || 0];
    showSource(file, line);
    details(name === "line" ? lineDetails(file, line) : null);
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

// ---- while the campaign goes on

const ASK_SECONDS = 2;

// What somebody has typed, chosen or scrolled to is not taken away.
function kept(selector, properties) {
  const values = [...main.querySelectorAll(selector)].map((each) => properties.map((name) => each[name]));
  return () => [...main.querySelectorAll(selector)].forEach((each, index) =>
    properties.forEach((name, place) => { if (values[index]) each[name] = values[index][place]; }));
}

function renew(data) {
  for (const name of ["head", "branches", "tests"]) parts[name] = data[name];
  head = parts.head;
  [readOnce, testTable, source, shownView] = [null, null, null, ""];
  const searching = document.activeElement?.matches("input[type=search]");
  const restore = [kept("input[type=search], select", ["value"]), kept(".rows", ["scrollTop"])];
  const [top, beside] = [main.scrollTop, aside.scrollTop];
  navigation();
  route();
  restore[0]();
  for (const each of main.querySelectorAll("input[type=search]")) if (each.value) each.dispatchEvent(new Event("input"));
  for (const each of main.querySelectorAll(".tools select")) if (!shownView.startsWith("source/")) each.dispatchEvent(new Event("change"));
  restore[1]();
  [main.scrollTop, aside.scrollTop] = [top, beside];
  if (searching) main.querySelector("input[type=search]")?.focus();
}

async function ask() {
  try {
    const answer = await fetch("data");
    if (!answer.ok) throw new Error(String(answer.status));
    const data = await answer.json();
    if (data.head.iterations !== head.iterations || data.head.seconds !== head.seconds) renew(data);
    setTimeout(ask, 1000 * ASK_SECONDS);
  } catch {
    const words = `The campaign is over, or cannot be asked any more. Its page is ${head.folder}/report.html.`;
    document.body.append(make("p", { className: "note over", role: "status" }, words));
  }
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

function begin() {
  if (head.mcdc) VIEWS.mcdc = ["MC/DC", independence];
  document.querySelector("h1").textContent = head.title + (head.arguments ? ` ${head.arguments}` : "");
  navigation();
  addEventListener("hashchange", route);
  addEventListener("keydown", onKey);
  route();
  main.focus({ preventScroll: true });
  if (live) setTimeout(ask, 1000 * ASK_SECONDS);
}

begin();
