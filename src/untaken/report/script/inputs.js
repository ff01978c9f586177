// Inputs.

function inputParts(input, perLine) {
  if (!input) return [make("p", { className: "soft" }, "The input is not here any more.")];
  const bytes = Uint8Array.from(atob(input.data), (character) => character.charCodeAt(0));
  const cut = bytes.length < input.size ? ` (the first ${number(bytes.length)} of ${number(input.size)} bytes)` : "";
  const heads = make("thead", {}, make("tr", {}, ...["field", "kind, bytes", "value"].map((words) => make("th", { scope: "col" }, words))));
  const table = make("table", { className: "plain fields" }, heads, make("tbody", {}, ...input.fields.map(([name, kind, , size, value]) =>
    make("tr", {}, make("td", { className: "name", title: name }, name), make("td", { className: "name soft" }, `${kind}, ${size}`), make("td", {}, make("code", {}, String(value)))))));
  return [...textParts(input, bytes, cut),
    make("h3", {}, "Input, as fields"), input.fields.length ? table : make("p", { className: "soft" }, "The program asked for nothing."),
    input.more ? make("p", { className: "soft" }, "and more fields, in the test's description") : null,
    ...(bytes.length ? [make("h3", {}, `Input, as hexadecimal${cut}`), make("pre", { className: "hex" }, hexOf(bytes, perLine))] : [])];
}

// What the program reads as text: each stream up to its length, which is a number before it.
function textParts(input, bytes, cut) {
  const parts = [];
  let length = Infinity;
  for (const [name, kind, offset, size, value] of input.fields) {
    if (["stdin", "file", "argument", "bytes"].includes(kind)) {
      parts.push(make("h3", {}, `Input, as text: ${name || kind}${cut}`), make("pre", {}, textOf(bytes.subarray(offset, offset + Math.min(size, length)))));
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
