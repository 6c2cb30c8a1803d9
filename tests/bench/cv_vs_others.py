"""5 folds x 13 lambda of logistic regression, beside scikit-learn's LogisticRegressionCV and LIBLINEAR.

usage: cv_vs_others.py [--quick] BUILD SCRATCH TURNS FILE.h5 ...

Every fit of sdca is certified to a relative gap of 1e-3. The others get the loosest
tolerance, of powers of ten, at which each of their 65 fits is within 1e-3 of the least P:
that of LIBLINEAR's Newton method at a tolerance of 1e-7. A user does not know it; the
seconds at the default tolerance are in a column of their own, with the largest distance
from the least P. All have the same folds (--fold-file), the same lambda and no intercept.

Seconds are without reading: processor seconds of the others, which have one core, and
seconds on the wall of sdca with one rank and with two, medians of TURNS.
--quick leaves scikit-learn out, and takes 3 lambda. Prints a Markdown table.
"""
import json
import os
import subprocess
import sys
import time
import warnings

import numpy

from bench_files import load
from bench_liblinear import Rows
from bench_train import median, name

FIRST, LAST, FOLDS, ACCURACY = 1e-1, 1e-6, 5, 1e-3


class Sdca:
    def __init__(self, build, scratch, path, count):
        self.build, self.scratch, self.path, self.count = build, scratch, path, count

    def choose(self, ranks):
        """Seconds without reading, and the selection."""
        summary = os.path.join(self.scratch, "cv.json")
        command = [os.path.join(self.build, "sdca"), "train", self.path, "-o", os.path.join(self.scratch, "cv.h5"),
                   "--loss", "logistic", "--lambda", f"{FIRST}:{LAST}:{self.count}", "--folds", str(FOLDS),
                   "--fold-file", os.path.join(self.scratch, "cv.folds"), "--rel-gap", str(ACCURACY),
                   "--summary", summary, "--normalize", "rows", "--quiet"]
        environment = dict(os.environ)
        if ranks > 1:
            environment.pop("OMPI_MCA_btl", None)  # may have been set for one rank
            command = ["mpirun", "-np", str(ranks)] + command
        subprocess.run(command, check=True, env=environment)
        with open(summary, encoding="utf-8") as f:
            text = json.load(f)
        return text["path_seconds"], text["selection"]

    def folds(self):
        return numpy.loadtxt(os.path.join(self.scratch, "cv.folds")).astype(int) - 1


class Problem:
    """What all of them solve: P on the rows outside of a fold."""

    def __init__(self, rows, y, folds, lambdas):
        self.rows, self.y, self.folds, self.lambdas = rows, y, folds, lambdas
        self.parts = [(rows[folds != k], y[folds != k]) for k in range(FOLDS)]

    def primal(self, fold, lam, w):
        x, y = self.parts[fold]
        return numpy.logaddexp(0.0, -y * (x @ w)).mean() + lam / 2 * (w @ w)

    def excess(self, weights, least):
        """The largest relative distance from the least P; weights has w by fold and lambda."""
        return max(self.primal(k, lam, weights[k][j]) / least[k][j] - 1
                   for k in range(FOLDS) for j, lam in enumerate(self.lambdas))


class Liblinear:
    """One call of its library per fold and lambda."""

    def __init__(self, build, scratch, problem, solver, default):
        self.label = f"LIBLINEAR -s {solver}"
        self.problem, self.solver, self.default = problem, solver, default
        self.files = [Rows(build, scratch, f"fold{k}", *part) for k, part in enumerate(problem.parts)]

    def fit(self, eps):
        seconds, weights = 0.0, []
        for file, (x, _) in zip(self.files, self.problem.parts):
            weights.append([])
            for lam in self.problem.lambdas:
                spent, w, labels, _ = file.train(self.solver, 1 / (lam * x.shape[0]), eps)
                weights[-1].append(w[:, 0] * labels[0])
                seconds += spent
        return seconds, weights


class Sklearn:
    """One call of LogisticRegressionCV, which starts each fit at the one before."""

    def __init__(self, problem, solver):
        self.label, self.problem, self.solver, self.default = f"LogisticRegressionCV {solver}", problem, solver, 1e-4

    def fit(self, tol):
        from sklearn.linear_model import LogisticRegressionCV
        from sklearn.model_selection import PredefinedSplit
        p = self.problem
        peer = LogisticRegressionCV(Cs=numpy.sort(1 / (p.lambdas * p.parts[0][0].shape[0])), fit_intercept=False,
                                    cv=PredefinedSplit(p.folds), solver=self.solver, tol=tol, max_iter=10000, n_jobs=1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = time.process_time()
            peer.fit(p.rows, p.y)
            seconds = time.process_time() - start
        return seconds, list(peer.coefs_paths_.values())[0]  # ascending C is descending lambda


def tolerance(peer, problem, least):
    """The loosest one that suffices, with the seconds of that fit, or None."""
    for power in range(0, 7):
        seconds, weights = peer.fit(10.0 ** -power)
        if problem.excess(weights, least) <= ACCURACY:
            return 10.0 ** -power, seconds
    return None, float("nan")


def compare(peer, sdca, problem, least, turns):
    """The cells of a row."""
    eps, _ = tolerance(peer, problem, least)
    theirs, one, two = [], [], []
    for _ in range(turns):
        if eps is not None:
            theirs.append(peer.fit(eps)[0])
        one.append(sdca.choose(1)[0])
        two.append(sdca.choose(2)[0])
    usual, weights = peer.fit(peer.default)
    theirs = median(theirs) if theirs else float("nan")
    one, two = median(one), median(two)
    return (f"{eps} | {theirs:.4g} | {usual:.4g} | {problem.excess(weights, least):.1e} | {one:.4g} | {two:.4g} "
            f"| {theirs / one:.1f} | {theirs / two:.1f} | {usual / one:.1f}")


def main(build, scratch, turns, *paths, quick=False):
    print("| data | peer | its tolerance | its s | s by default | P too large by | sdca s | two ranks s | ratio "
          "| ratio of two ranks | ratio by default |\n" + "|---" * 11 + "|")
    for path in paths:
        rows, labels = load(path)
        y = numpy.where(labels == labels.max(), 1.0, -1.0)
        sdca = Sdca(build, scratch, path, 3 if quick else 13)
        _, selection = sdca.choose(1)
        problem = Problem(rows, y, sdca.folds(), numpy.array([fit["lambda"] for fit in selection["fits"]]))
        newton = Liblinear(build, scratch, problem, 0, 0.01)
        _, best = newton.fit(1e-7)
        least = [[problem.primal(k, lam, best[k][j]) for j, lam in enumerate(problem.lambdas)] for k in range(FOLDS)]
        peers = [Liblinear(build, scratch, problem, 7, 0.1), newton]
        if not quick:
            peers += [Sklearn(problem, "lbfgs"), Sklearn(problem, "liblinear")]
        for peer in peers:
            print(name(path), peer.label, file=sys.stderr)
            print(f"| {name(path)} | {peer.label} | {compare(peer, sdca, problem, least, int(turns))} |", flush=True)


if __name__ == "__main__":
    main(*[word for word in sys.argv[1:] if word != "--quick"], quick="--quick" in sys.argv)
