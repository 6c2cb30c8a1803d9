"""Output on a terminal: a real pseudo-terminal, interpreted by the terminal emulator
pyte."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

import h5py
import numpy as np
import pyte

from oracle import check

SDCA, MPIRUN = sys.argv[1:3]
LINES = 60
COLOUR = re.compile(rb"\x1b\[[0-9;]*m")
CODE = re.compile(rb"\x1b\[[0-9;]*[mK]")


def resize(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, columns, 0, 0))


class Shown:
    """Run a command on a terminal of this width until it exits. then(fd) is called once,
    when a status line containing that word has been drawn."""

    def __init__(self, command, columns=80, env=None, then=None, word=""):
        start = time.monotonic()
        pid, fd = pty.fork()
        if pid == 0:
            time.sleep(0.05)  # wait until the terminal size is set
            os.environ.pop("NO_COLOR", None)
            os.environ.pop("COLUMNS", None)
            os.environ.update({"TERM": "xterm", **(env or {})})
            os.execvp(command[0], command)
        resize(fd, columns)
        self.columns, self.raw = columns, b""
        screen = pyte.Screen(columns, LINES)
        stream = pyte.ByteStream(screen)
        while True:
            if not select.select([fd], [], [], 60)[0]:
                os.kill(pid, 9)
            try:
                block = os.read(fd, 65536)
            except OSError:  # the other side is closed
                break
            if not block:
                break
            self.raw += block
            stream.feed(block)
            if then is not None and any(word in line for line in self.frames()):
                then(fd)
                then = None
        self.code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        self.seconds = time.monotonic() - start
        self.rows = [row.rstrip() for row in screen.display]
        self.text = "\n".join(self.rows)
        os.close(fd)

    def frames(self):
        """The status lines: text drawn after a carriage return without a newline. Cleared
        characters are omitted."""
        parts = CODE.sub(b"", self.raw).replace(b"\r\n", b"\n").split(b"\r")[1:]
        drawn = [part.split(b"\n")[0].decode() for part in parts if b"\n" not in part]
        return [line for line in drawn if line.strip()]

    def expect(self, condition, what):
        check(condition, f"{what}; got exit status {self.code} and {self.raw!r}")

    def expect_clean(self):
        """No status line is left on the screen, none was wrapped, and it was not redrawn
        too often."""
        frames = self.frames()
        for line in frames:
            self.expect(len(line) < self.columns, f"{line!r} wraps at {self.columns}")
        left = re.compile(r"^\[|\d left|gap \d\.\de|\d\.\d epochs$|\^C")
        self.expect(not any(left.search(row) for row in self.rows), f"a line is left in {self.rows}")
        self.expect(len(frames) <= 10 * self.seconds + 1, f"{len(frames)} drawings")


def train(*more, seconds=0.35):
    return [SDCA, "train", "data.h5", "-o", "model.h5", "--loss", "squared", "--C", "50",
            "--solver", "sdca", "--rel-gap", "1e-14", "--time", str(seconds), *more]


RESULT = "Budget exhausted before reaching the target"

# A run with all fields of the status line, then only the summary remains.
run = Shown(train("--test", "test.h5"))
run.expect(run.code == 3, "a budget of time")
run.expect_clean()
run.expect(len(run.frames()) >= 2, "lines are drawn in place")
for word in ("s left", "gap ", "epochs", "RMSE "):
    run.expect(word in run.frames()[-1], f"the line has '{word}'")
run.expect("MPI time" not in run.frames()[-1], "one rank does not communicate")
run.expect(b"\x1b[32m" in run.raw, "there are colours")
run.expect(any(row.startswith(RESULT) for row in run.rows), "the summary begins a line")
run.expect("gap/primal" not in run.text, "there is no table")

# Any width works, and the width may shrink.
for columns in (200, 41, 9):
    run = Shown(train(), columns)
    run.expect_clean()
    run.expect(columns < 10 or run.frames(), f"lines are drawn on {columns} columns")
run = Shown(train(seconds=0.7), 100, then=lambda fd: resize(fd, 50))
run.expect(max(map(len, run.frames()[2:])) < 50, "lines fit a terminal that was made narrow")
run.expect_clean()  # also after the terminal is widened again

# Ctrl-C is echoed after the status line and cleared with it. A second one ends the run at
# once, as does the first where no cleanup is needed.
run = Shown(train("--test", "test.h5", seconds=20), then=lambda fd: os.write(fd, b"\x03"), word="epochs")
run.expect(run.code == 3 and b"^C" in run.raw, "Ctrl-C")
run.expect_clean()
run.expect(any(row.startswith("Stopped on request") for row in run.rows), "the summary begins a line")


def press_twice(fd):
    os.write(fd, b"\x03")
    time.sleep(0.2)
    os.write(fd, b"\x03")


long_round = train("--local-steps", "1000", seconds=50)
for command, then, word in ((long_round, press_twice, "epochs"),
                            ([SDCA, "convert", "good.txt.bz2", "made.h5"], lambda fd: os.write(fd, b"\x03"), "")):
    run = Shown(command, then=then, word=word)
    run.expect(run.code == -signal.SIGINT and run.frames(), "ended by Ctrl-C")
    run.expect_clean()

# Without colours, then without a status line: plain lines instead.
run = Shown(train(), env={"NO_COLOR": "1"})
run.expect(run.frames() and not COLOUR.search(run.raw), "NO_COLOR: drawn, but plain")
run.expect_clean()
run = Shown(train(), env={"TERM": "dumb"})
run.expect(not run.frames() and b"\x1b[3" not in run.raw, "no drawing")
run.expect("gap/primal" in run.text, "a table instead")
run = Shown(train("--verbose", "--test", "test.h5"), 100)
run.expect(" test RMSE" in run.text, "a regression has no errors, but an RMSE")
run.expect(all("data.h5" in line for line in run.frames()), "no drawing but of reading, if that takes long")
run.expect("gap/primal" in run.text, "a table instead")

# Under mpirun stderr is a pipe: decide by whether mpirun's stderr is a terminal.
run = Shown([MPIRUN, "-np", "2", *train("--all-ranks")])
run.expect_clean()
run.expect(run.frames() and "MPI time" in run.frames()[-1], "drawn under mpirun")
run.expect(any(row.startswith(RESULT) for row in run.rows), "the summary begins a line")
for command in (f"{MPIRUN} -np 2 {' '.join(train())} 2>words",
                f"{MPIRUN} -np 2 sh -c 'exec {' '.join(train())} 2>>words'",
                f"{MPIRUN} -np 2 {' '.join(train())} 2>&1 | cat >words",
                f"{' '.join(train())} 2>&1 | cat >words",
                f"{' '.join(train())} 2>words"):
    if os.path.exists("words"):
        os.remove("words")
    run = Shown(["sh", "-c", command])
    words = open("words", "rb").read()
    run.expect(not run.frames(), f"{command}: nothing is drawn")
    run.expect("Hint:" not in run.text, f"{command}: results alone go to stdout")
    run.expect(b"\r" not in words and b"\x1b" not in words and b"gap/primal" in words,
               f"{command}: plain words, got {words!r}")
run = Shown([MPIRUN, "-np", "1", "--tag-output", *train()])
run.expect(not run.frames() and "gap/primal" in run.text, "no drawing behind names")

# Reading that is slow on any machine: every four columns are a chunk of the file.
rows, columns = 3000, 60
with h5py.File("slow.h5", "w") as file:
    file.create_dataset("X/indices", data=np.tile(np.arange(columns), rows), chunks=(4,))
    file["X/data"] = np.random.default_rng(1).random(rows * columns)
    file["X/indptr"] = columns * np.arange(rows + 1)
    file["X"].attrs["shape"] = [rows, columns]
    file["y"] = np.arange(rows) % 2
slow = [SDCA, "train", "slow.h5", "-o", "slow_model.h5", "--lambda", "1e-3"]
for command in (slow, [MPIRUN, "-np", "2", *slow], [SDCA, "predict", "slow_model.h5", "slow.h5"]):
    run = Shown(command)
    run.expect_clean()
    run.expect(any(re.search(r"rows  \d+ MB/s  slow.h5", line) for line in run.frames()), "reading is shown")
run = Shown([*slow, "--quiet"])
run.expect(run.raw == b"", "--quiet: nothing at all")

# Each hint is one sentence; --quiet suppresses hints.
run = Shown([SDCA, "train", "odd.h5", "-o", "model.h5", "--C", "1"], 200)
run.expect(b"\x1b[33mWarning:\x1b[0m the rows have norms up to" in run.raw, "a warning")
run.expect(run.text.count("Warning:") == 1, "one warning")
gaps = [SDCA, "train", "gaps.h5", "-o", "model.h5", "--C", "1"]
run = Shown([*gaps, "--verbose"])
run.expect("  columns   2 of 7 are empty" in run.rows, "empty columns, for those who ask")
run.expect("empty" not in Shown(gaps).text, "but not for others")

# Conversion and generation. An error at the end of the text is reported on its own line.
run = Shown([SDCA, "convert", "good.txt.bz2", "made.h5"])
run.expect(run.code == 0, "converted")
run.expect_clean()
run.expect(re.search(r"\d+ %  .* left  \d+ rows  \d+ MB/s", run.frames()[-1]), "progress")
shares = [int(re.search(r"(\d+) %", line)[1]) for line in run.frames()]
run.expect(shares == sorted(shares) and shares[0] < shares[-1] <= 100, f"{shares} rise")
run = Shown(["sh", "-c", f"cat good.txt.bz2 | {SDCA} convert - made.h5"])
run.expect_clean()
run.expect(re.match(r"\d+ rows  \d+ MB/s  standard input", run.frames()[-1]), "from a pipe")
run = Shown([SDCA, "convert", "bad.txt.bz2", "made2.h5"])
run.expect(run.code == 65 and run.frames(), "a bad last line")
run.expect_clean()
run.expect(any(row.startswith("sdca: bad.txt.bz2, line ") for row in run.rows), "what is wrong")
run = Shown([SDCA, "generate", "ccat", "made3.h5", "--scale", "0.05", "--test", "made4.h5"])
run.expect_clean()
run.expect(re.search(r"\d+ %  .* left  \d+ rows  \d+ MB/s  made", run.frames()[-1]), "progress")
run = Shown(["sh", "-c", f"{SDCA} convert good.txt.bz2 made.h5 2>words"])
run.expect(run.code == 0 and os.path.getsize("words") == 0, "nothing where nobody looks")
