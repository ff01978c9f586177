"""`--sync`: beside AFL++."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.campaign.commands import PATIENCE, command, untaken, written
from tests.campaign.test_dictionary import HASHED, WORD, wanted

AFL = shutil.which("afl-fuzz")
NO_AFL = "afl-fuzz is not here: apt-get install afl++"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("hashed"), HASHED.replace("WANTED", f"{wanted()}u"))


def contents(queue: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(queue.glob("id:*"))]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_another_instance_found_is_run_and_what_is_found_is_offered(
    program: Path, jobs: int, tmp_path: Path
) -> None:
    queue = tmp_path / "sync" / "main" / "queue"
    queue.mkdir(parents=True)
    (queue / "id:000000,time:0,execs:0,orig:seed").write_bytes(b"hello")
    (queue / "id:000001,src:000000,op:havoc").write_bytes(b"ab" + WORD + b"cd")
    (queue / ".state").mkdir()
    # A strategy that asks no solver: the hash takes one minutes, which say nothing about what is exchanged.
    words = ("run", program, "--stdin", 39, "--strategy", "words", "--sync", tmp_path / "sync", "--json")
    answer = untaken(*words, "--iterations", 400, "--jobs", jobs, "--out", tmp_path / "out")
    assert answer.code == 0, answer.said
    own = contents(tmp_path / "sync" / "untaken" / "queue")
    assert b"ab" + WORD + b"cd" in own  # it covered something here, too
    assert any(data.startswith(b"keyword!") for data in own)
    assert len(own) == answer.summary["tests"]
    stats = (tmp_path / "sync" / "untaken" / "fuzzer_stats").read_text()
    assert f"execs_done        : {answer.summary['iterations']}\n" in stats
    again = untaken(*words, "--iterations", 5, "--out", tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "sync" / "untaken" / "queue").iterdir())
    assert len({name[:9] for name in names}) == len(names) == again.summary["tests"]


def test_what_afl_would_not_know_how_to_give_is_refused(tmp_path: Path) -> None:
    text = '#include "untaken.h"\nint main(void) { int n; untaken_input_int(&n, "n"); return 0; }\n'
    source = written(tmp_path, text)
    answer = untaken("run", source, "--sync", tmp_path / "sync", "--iterations", 5, "--out", tmp_path / "out")
    assert answer.code == 2 and "--sync wants to know what AFL's inputs are" in answer.said


@pytest.mark.skipif(AFL is None, reason=NO_AFL)
def test_a_real_fuzzer_takes_what_is_found_here(tmp_path: Path) -> None:
    """A comparison of eight bytes at once, which AFL would not guess in hours, and untaken solves at once."""
    text = """
        #include <stdint.h>
        #include <string.h>
        #include <unistd.h>
        int main(void) {
            uint64_t number = 0;
            if (read(0, &number, 8) == 8 && number * 3 == 0x123456789abcdef3) return 5;
            return 0;
        }
    """
    source, sync = written(tmp_path, text), tmp_path / "sync"
    plain = tmp_path / "plain"
    environment = {**os.environ, "AFL_QUIET": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_NO_UI": "1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_SYNC_TIME": "1"}  # fmt: skip
    compiler = shutil.which("afl-clang-fast") or shutil.which("afl-gcc-fast") or shutil.which("afl-cc")
    assert compiler is not None
    built = subprocess.run([compiler, "-o", plain, source], env=environment, capture_output=True, text=True)
    if built.returncode:
        pytest.skip(f"afl's compiler does not work here: {built.stderr[-200:]}")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "one").write_bytes(b"12345678")
    own = subprocess.Popen(
        command("run", source, "--stdin", 8, "--time", 60, "--sync", sync, "--out", tmp_path / "out"),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    fuzzer = subprocess.Popen(
        [str(AFL), "-i", tmp_path / "seeds", "-o", sync, "-S", "fuzzer", "--", plain],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + PATIENCE
        while not list((sync / "fuzzer" / "queue").glob("*sync:untaken*")):
            if fuzzer.poll() is not None:
                assert fuzzer.stdout is not None
                pytest.skip(f"afl-fuzz does not run here: {fuzzer.stdout.read()[-300:]}")
            assert time.monotonic() < deadline
            time.sleep(0.2)
    finally:
        for process in (fuzzer, own):
            process.terminate()
            process.communicate(timeout=PATIENCE)
    wanted_input = ((0x123456789ABCDEF3 * pow(3, -1, 1 << 64)) % (1 << 64)).to_bytes(8, "little")
    assert wanted_input in contents(sync / "fuzzer" / "queue")
