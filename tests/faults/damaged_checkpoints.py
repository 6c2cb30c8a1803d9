"""Damage every array and every other part of a checkpoint, one at a time: the
program detects it, resumes from the older checkpoint or, without one, fails. A file that
no longer starts as a checkpoint is not replaced.

Usage: damaged_checkpoints.py SDCA REPEAT; needs data.h5, good.h5 and the older good.h5.1. Prints the
number of damaged files that were detected."""
import os
import random
import shutil
import subprocess
import sys

import checkpoint_tool
import oracle

WHAT = ["train", "data.h5", "-o", "model.h5", "--lambda", "1e-3", "--local-steps", "0.2",
        "--checkpoint", "run.h5", "--resume", "--quiet"]
FOUND = "sdca: 'run.h5' is damaged: it is not as it was written"
FOREIGN = ("sdca: 'run.h5' is not a checkpoint, and only checkpoints are replaced: "
           "move it, or name another --checkpoint")


def resume(sdca, status, words, how):
    """Resume from run.h5; expect this status and one message."""
    done = subprocess.run([sdca] + WHAT, timeout=60, capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if line.startswith("sdca: ")]
    oracle.check(done.returncode == status and said == [words],
                 f"{how}: expected {status} and '{words}', got {done.returncode} and {said}")


def spoil(sdca, how, change, alone):
    """Damage a copy of the good checkpoint by change(path); the program must detect it."""
    shutil.copy("good.h5", "run.h5")
    shutil.copy("good.h5.1", "run.h5.1")
    change("run.h5")
    was = checkpoint_tool.read("run.h5")
    recognised = was == b"" or was.startswith(b"sdca seal ")
    oracle.check(not checkpoint_tool.is_whole("run.h5"), f"{how}: nothing has changed")
    if alone:
        os.remove("run.h5.1")
    if alone or not recognised:
        if recognised:
            resume(sdca, 65, FOUND + ", and there is no older checkpoint", how)
        else:
            resume(sdca, 73, FOREIGN, how)
        oracle.check(checkpoint_tool.read("run.h5") == was, f"{how}: the damaged file was modified")
        oracle.check(not os.path.exists("model.h5"), f"{how}: unexpected model")
    else:
        resume(sdca, 0, FOUND + "; resuming from 'run.h5.1'", how)
        os.remove("model.h5")


def spoils(repeat):
    """(name, change) of all kinds of damage; repeat adds random places."""
    size = os.path.getsize("good.h5")
    for k, (name, offset) in enumerate(checkpoint_tool.spots("good.h5")):
        kind = (checkpoint_tool.flip, checkpoint_tool.zero)[k % 2]
        yield f"{name} {kind.__name__}", lambda path, kind=kind, offset=offset: kind(path, offset)
    for length in [0, 100, 512, size // 2, size - 1, size + 1] + random.sample(range(size), repeat):
        yield f"{length} bytes of {size}", lambda path, length=length: os.truncate(path, length)
    for offset in random.sample(range(size), repeat):
        yield f"byte {offset}", lambda path, offset=offset: checkpoint_tool.flip(path, offset, random.randrange(8))
    yield "a data file", lambda path: shutil.copy("data.h5", path)
    yield "no HDF5", lambda path: shutil.copy(__file__, path)


def main(sdca, repeat):
    """Three of four have an older checkpoint, so each kind of damage occurs with and without."""
    done = 0
    for done, (how, change) in enumerate(spoils(int(repeat)), start=1):
        spoil(sdca, how, change, done % 4 == 0)
    oracle.check(done > 35, f"only {done} damaged places")
    print(done)


main(*sys.argv[1:])
