// Details of a line.

function lineDetails(file, line, branch) {
  const { lines, conditions } = program();
  const here = lines[file].get(line) || [];
  const text = (sourceLines(file)[line - 1] || "").trim();
  return [detailHead(`${head.files[file]}:${line}`), text ? make("pre", {}, text) : null,
    ...here.flatMap((condition) => [
      make("h3", {}, `${KINDS[conditions.kind[condition]] || conditions.kind[condition]} in ${program().functions.name[conditions.function[condition]]}, column ${conditions.column[condition]}`),
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
