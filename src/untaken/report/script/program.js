// The program.

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

// All conditions of the same line.
const neighbours = (condition) => program().lines[program().conditions.file[condition]].get(program().conditions.line[condition]);
const KINDS = { logical: "operand of && or ||", conditional: "condition of ?:" };

function sideWord(kind, side) {
  if (kind === "case") return side ? "not this case" : "this case";
  return side ? "false" : "true";
}

function branchName(branch) {
  const { conditions, is } = program();
  const condition = is(branch);
  const column = neighbours(condition).length > 1 ? `:${conditions.column[condition]}` : "";
  return `${location_(condition)}${column} ${sideWord(conditions.kind[condition], branch & 1)}`;
}

const branchLink = (branch) => link(`#/branch/${branch}`, branchName(branch));
const testLink = (test) => link(`#/test/${test}`, `test ${test}`);

function state(slot) {
  const { conditions } = program();
  if (conditions.tests[slot] < 0) return "none";
  if (conditions.tests[slot] > 0) return "taken";
  return ["guarded", "unreached"].includes(conditions.why[slot]) ? "unreached" : "missing";
}
