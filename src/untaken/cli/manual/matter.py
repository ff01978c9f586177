"""What the manual says beside commands and options."""

from __future__ import annotations

EXIT_CODES = {
    0: "done: nothing was found, and what was asked for is met",
    1: "a confirmed finding, or less coverage than --fail-under asks for; with --baseline only what is new counts",
    2: "a wrong option, a program that cannot be built or run, or a folder that cannot be used",
    3: "a fault of untaken itself: please report it",
    130: "interrupted; everything found so far is kept, and the same command goes on",
}
FILES = {
    "untaken-out/tests/": "one input a test (NNNNNN.bin), and what is in it and what it was first to cover (.json)",
    "untaken-out/crashes/": "one folder a confirmed finding: its shortest input, and what goes wrong where",
    "untaken-out/unconfirmed/": "the same for what was seen only while exploring",
    "untaken-out/report.html": "all of it as one page, for a browser",
    "untaken-out/summary.json": "the figures, for programs",
    "untaken-out/timeline.csv": "iteration, seconds and branches, whenever something new was covered",
    "untaken-out/campaign.json": "how the program was built and run",
    "untaken-out/campaign.sqlite": "the books, from which a later run goes on",
}
ENVIRONMENT = {
    "UNTAKEN_CLANG": "the clang to compile with (14 to 22), or zig for the one in the ziglang wheel",
    "UNTAKEN_CHECK": "1: the program compares each value that the runtime computes with its own; slower",
    "UNTAKEN_RESIDENT": "seconds (10) that the compiler waits for further calls, with everything loaded; 0: none",
    "NO_COLOR": "if it is set, nothing is printed in colour",
    "XDG_CACHE_HOME": "compiled programs and the runtime are kept in untaken/ below it (default ~/.cache)",
    "TMPDIR": "where temporary files go",
}
EXAMPLES = {
    "untaken run parser.c --stdin 64": "explore what a program does with up to 64 bytes of standard input",
    'CC="untaken cc" ./configure && make && untaken run ./src/prog --arg 10': "the same for a whole project",
    "untaken run ./prog --file config.ini=200 -- --config config.ini": "the input is a file that the program opens",
    "untaken run parser.c --stdin 64 --jobs 0 --time 600": "ten minutes on all cores",
    "untaken unit list.c list_insert": "explore one function",
    "untaken unit src/*.c --all": "explore every function of a project, and write their tests as C",
    "untaken replay untaken-out crashes/0001-sigsegv": "see a finding again",
    "untaken replay untaken-out --sanitize": "run all tests under AddressSanitizer and UBSan",
    "untaken export untaken-out --format script": "a test suite that needs nothing of untaken",
    "untaken compare parser.c --stdin 64 --strategies auto,dfs --iterations 2000": "ten campaigns of each",
    "untaken tune parser.c --stdin 64 --iterations 1000": "learn weights for the strategy parametric",
    "untaken run parser.c --changed-since origin/main --fail-under 80": "ask for tests of what a change touches",
}
