"""A tour of untaken's Python interface: run it with `python docs/tutorial/python.py`. The tests run it, too."""

import tempfile
from pathlib import Path

import numpy as np

import untaken

SOURCE = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[17] = {0};
    size_t size = fread(line, 1, 16, stdin);
    if (size < 4) return 1;
    if (memcmp(line, "PUT ", 4) == 0) {
        if (line[4] == '7' && line[5] == '!') __builtin_trap();
        return 2;
    }
    return line[0] == 'Q' ? 3 : 4;
}
"""
folder = Path(tempfile.mkdtemp())
(folder / "server.c").write_text(SOURCE)

# 1. Build. The map knows every function and branch of the program.
program = untaken.Program.build(folder / "server.c")
print(f"{len(program.branches['id'])} branches in {len(program.map.functions)} function")

# 2. Explore, and look on: each run has its path, and returning True would end the campaign.
lengths = []
result = untaken.explore(
    program,
    stdin=16,
    iterations=300,
    out=folder / "out",
    on_run=lambda run: lengths.append(len(run.path.constraints)),
    on_finding=lambda finding: print("found:", finding.what),
)
print(f"{result.summary['branches_covered']} covered in {len(lengths)} runs; {np.mean(lengths):.1f} decisions in each")

# 3. Tests and findings, with their inputs.
for test in result.tests:
    print(test.name, test.exit.kind.name, test.input[4:12])
print("goes wrong:", [finding.place.what for finding in result.findings if finding.place])

# 4. Columns: what is covered late, and by few tests?
rare = np.argsort(result.branches["tests"])[:3]
for row in rare:
    print(result.at(int(result.branches["id"][row])), "tests that take it:", result.branches["tests"][row])

# 5. Paths: run the tests again, and look at what they decided.
for test, path in result.paths():
    print(test.name, "events:", len(path.events), "decisions that depend on the input:", len(path.symbolic))


# 6. A strategy of one's own: a generator that asks for runs and flips, and is sent what came of them.
def newest_first(search, *, patience: int = 4):
    """Flips the last decisions of each path, then goes on from the path that this gave."""
    path = yield search.initial()
    while True:
        found = None
        for index in path.symbolic[::-1][:patience]:
            found = yield search.flip(path, index)
            if found is not None:
                break
        path = found or (yield search.random_input())


name = untaken.add_strategy(newest_first)
mine = untaken.explore(program, stdin=16, iterations=300, strategy=f"{name}:patience=6", out=folder / "mine")
print(f"{name}: {mine.summary['branches_covered']} covered")
