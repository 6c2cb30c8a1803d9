"""Make every allocation of the program fail in turn.

Usage: allocation_failures.py write DIR                    - write the input files of the commands
       allocation_failures.py starve PROGRAM MPIRUN IN TREE RECORD

PROGRAM is sdca_injected, see sdca_injected.c. Each command runs once per allocation, with that
allocation failing, unless the same call chain has failed before. Each run must end with exit
status 71 and one message, and leave its directory unchanged. Finally, every SDCA_FAIL(SDCA_MEMORY, ...)
in TREE's sources must have been reached. Messages go to RECORD, for error_messages.py. Prints
each error on one line.
"""
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

import error_messages

AT_ONCE = 8  # most of the time is spent waiting for MPI to start and finish

# A command: its name in messages, its arguments, and the files in its directory before
# the run. Arguments with a / are files in IN.
COMMANDS = {
    "svmlight": "convert in/rows.txt out.h5 --values float64",
    "weights": "convert in/rows.txt out.h5 --weights in/weights.txt",
    "packed": "convert in/rows.txt.gz out.h5",
    "csv": "convert in/table.csv out.h5",
    "groups": "convert in/table.csv out.h5 --group colour",
    "like": "convert in/table.csv out.h5 --like in/table.h5",
    "gaps": "convert in/gaps.csv out.h5 --missing median --hash 2",
    "cells by column": "train in/columns.h5ad -o out.h5 --lambda 1e-1 --label kind --where batch=3 --covariates batch --solver sdca --gap 0.1",
    "predict cells": "predict in/cells-model.h5 in/columns.h5ad -o out.csv --label kind",
    "gaps like": "convert in/gaps.csv out.h5 --like in/gaps.h5",
    "pipe": "convert - out.h5 --format csv",
    "text": "generate astro-ph out.h5 --scale 0.001 --test other.h5",
    "map": "generate cov1 out.h5 --scale 0.0001",
    "regression": "generate regression out.h5 --scale 0.001",
    "digits": "generate digits out.h5 --scale 0.001",
    "info": "info in/table.h5",
    "info of a model": "info in/named.h5",
    "info of AnnData": "info in/cells.h5ad",
    "verify": "verify in/dual.h5 in/few.h5",
    "verify classes": "verify in/classes-dual.h5 in/classes.h5",
    "train with dual": "train in/few.h5 -o out.h5 --lambda 1e-2 --keep-dual",
    "predict csv": "predict in/model.h5 in/test.h5 -o out.csv",
    "predict h5": "predict in/named.h5 in/table.h5 -o out.h5",
    "predict table": "predict in/named.h5 in/table.csv -o out.csv --keep 1",
    "predict table h5": "predict in/named.h5 in/table.csv -o out.h5",
    "predict text": "predict in/classes-model.h5 in/classes.txt -o out.csv --metrics out.json",
    "predict classes csv": "predict in/classes-model.h5 in/classes.h5 -o out.csv",
    "predict classes h5": "predict in/classes-model.h5 in/classes.h5 -o out.h5",
    "train on classes": "train in/classes.h5 -o out.h5 --lambda 1e-2 --test in/classes.h5 --history out.csv --summary out.json "
                        "--warm-start in/classes-model.h5",
    "train side by side": "train in/classes.h5 -o out.h5 --lambda 1e-2 --solver sdca --gap 0.1",
    "path": "train in/few.h5 -o out.h5 --lambda 1e-1,1e-2 --path fits --history out.csv",
    "path of classes": "train in/classes.h5 -o out.h5 --lambda 1e-1,1e-2 --path fits --solver sdca --gap 0.1",
    "folds": "train in/few.h5 -o out.h5 --lambda 1e-1,1e-2 --folds 2 --solver sdca --gap 0.1",
    "folds one by one": "train in/few.h5 -o out.h5 --lambda 1e-1,1e-2 --folds 2 --solver newton --selection out.csv",
    "folds of groups": "train in/few.h5 -o out.h5 --lambda 1e-1,1e-2 --folds 2 --fold-groups y --solver sdca --gap 0.1",
    "calibrate": "train in/few.h5 -o out.h5 --lambda 1e-2 --folds 2 --calibrate --solver sdca --gap 0.1 --summary out.json",
    "calibrate by validation": "train in/few.h5 -o out.h5 --lambda 1e-1,1e-2 --validation in/test.h5 --calibrate",
    "until labels": "train in/classes.h5 -o out.h5 --lambda 1e-1 --test in/classes.h5 --until labels --solver sdca --loss logistic",
    "predict probabilities": "predict in/calibrated.h5 in/test.h5 -o out.csv",
    "validation": "train in/few.h5 -o out.h5 --lambda 1e-1,1e-2 --validation in/test.h5 --summary out.json",
    "train on one class": "train in/classes.h5 -o out.h5 --lambda 1e-2 --positive 2",
    "info of classes": "info in/classes-model.h5",
    "report of classes": "report in/classes-model.h5 -o out.html",
    "export json": "export in/classes-model.h5 out --format json",
    "export text": "export in/named.h5 out --format text",
    "export liblinear": "export in/model.h5 out --format liblinear",
    "report of tests": "report in/model.h5 --test in/test.h5 -o out.html",
    "report of tests of classes": "report in/classes-model.h5 --test in/classes.h5 -o out.html",
    "report": "report in/model.h5 in/history.csv -o out.html",
    "picture": "report in/model.h5 -o out.svg",
    "bound": "bound --model in/model.h5 --data in/few.h5",
    "train": "train in/few.h5 -o out.h5 --lambda 1e-2 --test in/test.h5 --history out.csv --summary out.json",
    "train on words": "train in/cells.h5ad -o out.h5 --lambda 1e-2 --label kind --solver sdca --output average --epochs 2",
    "train on numbers of categories": "train in/cells.h5ad -o out.h5 --lambda 1e-2 --label batch",
    "train on full rows": "train in/full.h5 -o out.h5 --lambda 1e-2 --bias 1 --normalize rows",
    "train with weights": "train in/weighted.h5 -o out.h5 --lambda 1e-2 --class-weight balanced",
    "train with class weights": "train in/full.h5 -o out.h5 --lambda 1e-2 --class-weight 1=2",
    "train with an intercept": "train in/full.h5 -o out.h5 --lambda 1e-2 --intercept --standardize full --test in/full.h5",
    "train classes with an intercept": "train in/classes.h5 -o out.h5 --lambda 1e-2 --intercept --standardize scale --solver sdca",
    "newton": "train in/few.h5 -o out.h5 --lambda 1e-2 --loss logistic --solver newton",
    "sgd": "train in/few.h5 -o out.h5 --lambda 1e-2 --solver sgd --epochs 2",
    "sag": "train in/few.h5 -o out.h5 --lambda 1e-2 --solver sag --loss logistic --epochs 2",
    "eg": "train in/few.h5 -o out.h5 --lambda 1e-2 --solver eg --epochs 2",
    "warm start": "train in/few.h5 -o out.h5 --lambda 1e-2 --solver sdca --warm-start in/run.h5",
    "resume path": "train in/classes.h5 -o out.h5 --lambda 1e-1,1e-2 --folds 2 --solver sdca --gap 0.1 --resume --from in/path-run.h5",
    "resume classes": "train in/classes.h5 -o out.h5 --lambda 1e-3 --resume --from in/classes-run.h5 --solver sdca --gap 0.1",
    "resume": "train in/few.h5 -o out.h5 --lambda 1e-3 --resume --from in/run.h5 --rounds 1000000 --gap 0.1",
}
# On several ranks: number of ranks, the failing rank, and the step between failing
# allocations. Rank 0 does nearly the same work as a single process.
LAUNCHED = [(2, 0, 3), (2, 1, 1), (4, 3, 1)]
PARALLEL = {
    "train": "train in/few.h5 -o out.h5 --lambda 1e-2 --test in/test.h5 --solver sdca --all-ranks",
    "train alone": "train in/few.h5 -o out.h5 --lambda 1e-2 --test in/test.h5 --solver sdca",
    "predict": "predict in/model.h5 in/test.h5 -o out.csv",
}
# A run with two existing checkpoints. It continues when a checkpoint cannot be written, and
# reports it, even for the last one. Existing checkpoints must stay complete.
SAVING = ("train in/few.h5 -o out.h5 --lambda 1e-3 --checkpoint run.h5 --checkpoint-every 1r --resume "
          "--rounds 1000000 --gap 0.1")

SAVING_COLUMNS = ("train in/full.h5 -o out.h5 --lambda 1e-3 --standardize full --intercept --solver sdca "
                  "--checkpoint new.h5 --checkpoint-every 1r --rounds 3 --gap 1e-9")

# Messages that no test can reach: (file, message) and the reason.
UNREACHED = {
    ("src/api/model.c", "no memory for a model"): "for programs that read a model through libsdca",
    ("src/api/train.c", "no memory for a model"): "for programs that train through libsdca",
    ("src/api/train.c", "no memory for %ld weights"): "for programs that train through libsdca",
    ("src/model/model_file_weights.c", "no memory for %ld weights"): "for programs that predict through libsdca",
    ("src/cli/train/train_path_files.c", "no memory for the history"): "the C library enlarges the stream",
    ("src/cli/train/train_path_checkpoint.c", "no memory for the history"): "the C library enlarges the stream",
    ("src/api/metrics.c", "no memory for %d classes"): "for programs that evaluate through libsdca",
}


def write(folder):
    """SVMlight text, a CSV table, dense rows, and AnnData with string labels."""
    import gzip
    import h5py
    import numpy as np
    import scipy.sparse

    os.chdir(folder)
    random = np.random.default_rng(1)
    lines = [f"{2 * (k % 2) - 1} " + " ".join(f"{c}:{random.random():.3f}" for c in range(1 + k % 3, 20 + k, 3))
             for k in range(80)]
    lines.append("1 " + " ".join(f"{c}:0.5" for c in range(1, 70000)))  # longer than the initial line buffer, and than a block
    with open("rows.txt", "w", encoding="utf-8") as text:
        text.write("\n".join(lines) + "\n")
    with open("rows.txt", "rb") as text, gzip.open("rows.txt.gz", "wb") as packed:
        packed.write(text.read())
    with open("classes.txt", "w", encoding="utf-8") as text:
        text.write("".join(f"{k % 4} 1:{random.random():.3f} 3:1\n" for k in range(40)))
    with open("weights.txt", "w", encoding="utf-8") as text:
        text.write("".join(f"{k % 3}\n" for k in range(len(lines))))
    with open("table.csv", "w", encoding="utf-8") as table:
        table.write("label,size,colour\n")
        for k in range(60):
            table.write(f"{'yes' if k % 2 else 'no'},{random.random():.3f},{'red blue green'.split()[k % 3]}\n")
    with open("gaps.csv", "w", encoding="utf-8") as table:
        table.write("label,size,colour\n")
        for k in range(60):
            table.write(f"{'yes' if k % 2 else 'no'},{'' if k % 7 == 0 else k % 5},{'red blue green'.split()[k % 3]}\n")
    with h5py.File("full.h5", "w") as full:
        full["X"] = random.integers(0, 9, (40, 6)) / 8  # doubles that are exact in float32
        full["y"] = np.where(np.arange(40) % 2, 1.0, -1.0)
    with h5py.File("classes.h5", "w") as classes:
        classes["X"] = random.normal(size=(40, 6))
        classes["y"] = np.arange(40.0) % 4
    x = scipy.sparse.random(50, 30, 0.2, "csr", random_state=1, data_rvs=lambda n: random.integers(1, 9, n) / 8)
    for begin, end in zip(x.indptr, x.indptr[1:]):
        x.indices[begin:end] = x.indices[begin:end][::-1].copy()  # columns out of order
    with h5py.File("cells.h5ad", "w") as cells:
        group = cells.create_group("X")
        group.attrs.update({"encoding-type": "csr_matrix", "encoding-version": "0.1.0", "shape": x.shape})
        for name in "data", "indices", "indptr":
            group[name] = getattr(x, name)
        kind = cells.create_group("obs").create_group("kind")
        kind["codes"] = np.arange(50, dtype="i1") % 2
        kind["categories"] = ["b cell", "t cell"]
        batch = cells["obs"].create_group("batch")
        batch["codes"] = np.arange(50, dtype="i1") % 2
        batch["categories"] = [3, 7]
        cells["var/_index"] = [f"gene{j}" for j in range(30)]
        cells["var"].attrs["_index"] = "_index"
    with h5py.File("cells.h5ad") as cells, h5py.File("columns.h5ad", "w") as columns:
        by_column = x.tocsc()[:, ::-1]
        group = columns.create_group("X")
        group.attrs.update({"encoding-type": "csc_matrix", "encoding-version": "0.1.0", "shape": x.shape})
        for name in "data", "indices", "indptr":
            group[name] = getattr(by_column, name)
        cells.copy("obs", columns)
        columns["obs/_index"] = [f"cell{i}" for i in range(50)]
        columns["var/_index"] = [f"gene{j}" for j in range(30)][::-1]
        columns["var"].attrs["_index"] = "_index"


class Starver:
    """Runs commands; records their messages, where they arise, and errors."""

    def __init__(self, program, mpirun, inputs):
        self.program, self.mpirun, self.inputs = program, mpirun, os.path.abspath(inputs)
        self.asked, self.sentences, self.places, self.wrong = set(), set(), set(), []
        with open(f"{inputs}/table.csv", "rb") as table:
            self.piped = table.read()

    def run(self, name, words, n, before=(), ranks=1, culprit=0):
        """Run a command in a new directory; return its exit status, stderr, and the directory."""
        here = tempfile.mkdtemp(dir=".")
        os.symlink(self.inputs, f"{here}/in")
        for file in before:
            shutil.copy(f"{self.inputs}/run.h5", f"{here}/{file}")
        call = [self.program] + words.split()
        wish = f"SDCA_INJECT=memory:{n}"
        if ranks == 1:
            call = ["env", wish] + call
        else:  # one program per rank; only one has the variable
            parts = [[":", "-np", "1"] + ["-x", wish] * (rank == culprit) + call for rank in range(ranks)]
            call = [self.mpirun] + sum(parts, [])[1:]
        ended = subprocess.run(call, cwd=here, input=self.piped, capture_output=True, timeout=60, check=False,
                               env=dict(os.environ, OMPI_MCA_orte_tmpdir_base=f"{os.path.abspath(here)}/.mpi"))
        return ended.returncode, ended.stderr.decode(), here

    def fail(self, name, words, n, before=(), **launch):
        """Make allocation n of a command fail."""
        try:
            code, err, here = self.run(name, words, n, before, **launch)
        except subprocess.TimeoutExpired:
            self.wrong.append(f"{name}, allocation {n}: timeout")
            return
        said = re.findall("^sdca: (.*)", err, re.M)
        left = sorted(set(os.listdir(here)) - {"in", ".mpi", "fits"})
        if os.path.isdir(f"{here}/fits"):  # models of earlier fits stay
            left += [file for file in os.listdir(f"{here}/fits") if not re.fullmatch("[0-9]-lambda-[0-9.]*h5", file)]
        complaints = self.judge(code, said, left, before)
        if err.count("asked: ") <= n:
            complaints = [f"the allocation was not reached: {err[-200:]!r}"]
        self.wrong += [f"{name}, allocation {n}: {complaint}; messages: {said}" for complaint in complaints]
        self.places.update(re.findall("recorded: (.*)\n", err))
        self.sentences.update(said if code == 71 else [])
        shutil.rmtree(here)

    @staticmethod
    def judge(code, said, left, before):
        """Yield the errors of a run whose allocation failed."""
        saves = bool(before)  # the run continues without checkpoints
        if code != 71 and not (saves and (code in (0, 3) or (code == 74 and "not the last checkpoint" in said[-1]))):
            yield f"exit status {code}"
        if len(said) != 1 and not saves:
            yield f"{len(said)} messages"
        if [file for file in left if not saves or file.endswith((".tmp", ".lock"))]:
            yield f"files left {left}"

    def in_turn(self, name, words, step=1, **how):
        """Fail each allocation of a command whose call chain has not failed before, or every step-th."""
        kind = how.get("ranks", 1) > 1, how.get("culprit", 0) > 0
        code, err, here = self.run(name, words, -1, **how)
        if code not in (0, 3):
            self.wrong.append(f"{name}: exit status {code} without a failing allocation: {err.splitlines()[-1]}")
        shutil.rmtree(here)
        new = []
        for n, callers in enumerate(re.findall("asked: (.*)\n", err)):
            if (callers, kind) not in self.asked:
                self.asked.add((callers, kind))
                new.append(n)
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for one in [pool.submit(self.fail, name, words, n, **how) for n in new[::step]]:
                one.result()

    def unreached(self, tree):
        """Yield messages that were never reached, and listed exceptions that were."""
        missing = {(place.rsplit(":", 1)[0], words): place
                   for place, code, words in error_messages.sentences(tree)
                   if code == error_messages.exit_statuses(tree)["MEMORY"] and place not in self.places}
        yield from (f"{place}: never reached: {key[1]}" for key, place in missing.items() if key not in UNREACHED)
        yield from (f"{key}: listed as unreachable, but reached" for key in UNREACHED if key not in missing)


def starve(program, mpirun, inputs, tree, record):
    """Run all commands with failing allocations; return the errors."""
    starver = Starver(program, mpirun, inputs)
    for name, words in COMMANDS.items():
        starver.in_turn(name, words)
    starver.in_turn("saving", SAVING, before=("run.h5", "run.h5.1"))
    starver.in_turn("saving columns", SAVING_COLUMNS, before=("run.h5",))
    for (ranks, culprit, step), (name, words) in itertools.product(LAUNCHED, PARALLEL.items()):
        starver.in_turn(f"{name}, rank {culprit} of {ranks}", words, step, ranks=ranks, culprit=culprit)
    os.environ["SDCA_NODES"] = "1"
    starver.in_turn("train, rank 1 of 2 nodes", PARALLEL["train"], ranks=2, culprit=1)
    with open(record, "a", encoding="utf-8") as log:
        log.writelines(f"71\t{sentence}\n" for sentence in sorted(starver.sentences))
    return starver.wrong + list(starver.unreached(tree))


if sys.argv[1] == "write":
    write(sys.argv[2])
else:
    WRONG = starve(*sys.argv[2:])
    print(*WRONG, sep="\n")
    sys.exit(1 if WRONG else 0)
