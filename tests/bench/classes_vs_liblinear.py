"""Training one model per class, and LIBLINEAR's time to the same objective.

usage: classes_vs_liblinear.py [--sklearn] BUILD SCRATCH TURNS FILE.h5 ...

LIBLINEAR trains all classes against the rest at eps 0.01. sdca trains to the largest
relative gap, of those tried, whose P summed over the classes is at most LIBLINEAR's:
0.1, 0.01, ... until one suffices, then bisection down to a factor of 10^(1/8).
The two take turns. --sklearn adds scikit-learn's OneVsRestClassifier with its own
tolerances. Prints a Markdown table.
"""
import os
import sys
import time
import warnings

import numpy

from bench_files import load
from bench_liblinear import Rows
from bench_train import Run, median, name

LAMBDAS = ("1e-4", "1e-5")
EPS = 0.01
ROUNDING = 1e-12  # relative differences of P below this are rounding errors
SOLVERS = {"hinge": 3, "logistic": 7}  # LIBLINEAR's numbers of its dual solvers


def primal(rows, y, w, labels, loss, lam):
    """P summed over the models, whose weights are the columns of w."""
    total = 0.0
    for k in range(w.shape[1]):
        margin = numpy.where(y == labels[k], 1.0, -1.0) * (rows @ w[:, k])
        losses = numpy.maximum(0.0, 1.0 - margin) if loss == "hinge" else numpy.logaddexp(0.0, -margin)
        total += lam / 2 * (w[:, k] @ w[:, k]) + losses.mean()
    return total


class Liblinear:
    """All classes against the rest by one call of its library."""

    def __init__(self, build, scratch, rows, y, loss, lam):
        self.label = f"LIBLINEAR -s {SOLVERS[loss]}"
        self.rows, self.y, self.loss, self.lam = rows, y, loss, lam
        self.file = Rows(build, scratch, "classes", rows, y)

    def fit(self):
        """Processor seconds, P, and whether eps was reached."""
        seconds, w, labels, converged = self.file.train(SOLVERS[self.loss], 1 / (self.lam * self.rows.shape[0]), EPS)
        return seconds, primal(self.rows, self.y, w, labels, self.loss, self.lam), converged


class Sklearn:
    """OneVsRestClassifier of the estimator that uses LIBLINEAR's dual solver."""

    def __init__(self, rows, y, loss, lam):
        from sklearn.linear_model import LogisticRegression
        from sklearn.multiclass import OneVsRestClassifier
        from sklearn.svm import LinearSVC
        how = dict(C=1 / (lam * rows.shape[0]), fit_intercept=False, dual=True, random_state=1)
        one = LinearSVC(loss="hinge", **how) if loss == "hinge" else LogisticRegression(solver="liblinear", **how)
        self.label = f"OneVsRestClassifier({type(one).__name__})"
        self.peer = OneVsRestClassifier(one)
        self.rows, self.y, self.loss, self.lam = rows, y, loss, lam

    def fit(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            start = time.process_time()
            self.peer.fit(self.rows, self.y)
            spent = time.process_time() - start
        w = numpy.vstack([one.coef_ for one in self.peer.estimators_]).T
        labels = self.peer.classes_[-w.shape[1]:]
        return spent, primal(self.rows, self.y, w, labels, self.loss, self.lam), not caught


class Sdca:
    def __init__(self, build, scratch, path, loss, lam, limit):
        self.command = (os.path.join(build, "sdca"), scratch, path, "--loss", loss, "--lambda", lam, "--time", limit)

    def fit(self, rel_gap):
        return Run(*self.command, "--rel-gap", rel_gap)

    def rel_gap_for(self, target):
        """The largest of the gaps tried whose P is small enough, or None."""
        target *= 1 + ROUNDING
        good = -1  # exponent of ten
        while (run := self.fit(10 ** good)).primal > target:
            if not run.converged:
                return None
            good -= 1
        bad = good + 1
        while good < -1 and bad - good > 1 / 8:
            middle = (good + bad) / 2
            good, bad = (middle, bad) if self.fit(10 ** middle).primal <= target else (good, middle)
        return 10 ** good


def compare(peer, ours, turns):
    """Take turns; the cells of a row after the peer's name."""
    first, target, converged = peer.fit()
    sdca = ours(5 + 20 * first)
    rel_gap = sdca.rel_gap_for(target)
    theirs, mine = [], []
    reached = "yes" if converged else "no"
    if rel_gap is None:
        return f"{reached} | {first:.4g} | {target:.9g} | - | - | - | not reached | - | -"
    for _ in range(turns):
        theirs.append(peer.fit()[0])
        run = sdca.fit(rel_gap)
        mine.append(run.seconds)
    single = sorted(a / b for a, b in zip(theirs, mine))
    return (f"{reached} | {median(theirs):.4g} | {target:.9g} | {median(mine):.4g} | {run.primal:.9g} "
            f"| {rel_gap:.2e} | {median(theirs) / median(mine):.2f} | {min(theirs) / min(mine):.2f} "
            f"| {single[0]:.2f} to {single[-1]:.2f}")


def main(build, scratch, turns, *paths, sklearn=False):
    print("| data | classes | loss | lambda | peer | converged | its s | its P | sdca s | our P | rel gap "
          "| ratio | of least times | of single turns |\n" + "|---" * 14 + "|")
    for path in paths:
        rows, labels = load(path)
        classes, y = numpy.unique(labels, return_inverse=True)
        for loss in SOLVERS:
            for lam in LAMBDAS:
                peers = [Liblinear(build, scratch, rows, y, loss, float(lam))]
                if sklearn:
                    peers.append(Sklearn(rows, y, loss, float(lam)))
                for peer in peers:
                    print(name(path), loss, lam, peer.label, file=sys.stderr)
                    cells = compare(peer, lambda limit: Sdca(build, scratch, path, loss, lam, limit), int(turns))
                    print(f"| {name(path)} | {len(classes)} | {loss} | {lam} | {peer.label} | {cells} |", flush=True)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--sklearn"]
    main(*words, sklearn="--sklearn" in sys.argv)
