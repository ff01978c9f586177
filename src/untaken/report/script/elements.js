"use strict";
// Shows the data of the page. All of it is written as text; rows are built when they come into view.

const parts = {};
const part = (name) => (parts[name] ??= JSON.parse(document.getElementById("data-" + name).textContent));
let head = part("head");
const live = Boolean(document.documentElement.dataset.live);
const main = document.querySelector("main");
const aside = document.querySelector("aside");
const narrow = window.matchMedia("(max-width: 760px)");
const LINE = 21;
const ROW = 30;

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

// A command line, and a button that copies it.
function command(words) {
  const copy = make("button", { type: "button", className: "copy" }, "copy");
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(words);
      copy.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(line.firstChild); // to be copied by hand
    }
  });
  const line = make("div", { className: "commands" }, make("code", { className: "command" }, words), copy);
  return line;
}
