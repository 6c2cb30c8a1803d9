"""Time of scikit-learn's fit(), and of sdca to the same P.

usage: train_vs_sklearn.py PRIMAL SCRATCH TURNS FILE.h5 ...

PRIMAL is the program bench_train_to_objective: it evaluates P of the weights found by
fit(), and trains to it. Prints the rows of a Markdown table.
"""
import os
import subprocess
import sys
import time
import warnings

import numpy
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from bench_files import load

LAMBDA = 1e-5

# Loss, name, and constructor for a C; tolerances and iterations are the defaults.
PEERS = [
    ("hinge", "LinearSVC", lambda c: LinearSVC(loss="hinge", C=c, fit_intercept=False, random_state=1)),
    ("squared-hinge", "LinearSVC", lambda c: LinearSVC(C=c, fit_intercept=False, random_state=1)),
    ("logistic", "LogisticRegression liblinear",
     lambda c: LogisticRegression(solver="liblinear", C=c, fit_intercept=False, random_state=1)),
    ("logistic", "LogisticRegression saga",
     lambda c: LogisticRegression(solver="saga", C=c, fit_intercept=False, random_state=1)),
]


def fit(make, rows, y, turns):
    """Median CPU seconds, the weights, and whether it converged."""
    spent = []
    for _ in range(turns):
        peer = make(1 / (LAMBDA * rows.shape[0]))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            start = time.process_time()
            peer.fit(rows, y)
            spent.append(time.process_time() - start)
    converged = not any(issubclass(w.category, ConvergenceWarning) for w in caught)
    return numpy.median(spent), peer.coef_.ravel(), converged


def main(program, scratch, turns, *paths):
    weights = os.path.join(scratch, "weights")
    print("| data | loss | scikit-learn | converged | its s | its P | sdca s | our P | epochs | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for path in paths:
        rows, labels = load(path)
        y = numpy.where(labels == labels.max(), 1.0, -1.0)
        for loss, name, make in PEERS:
            print(os.path.basename(path), loss, name, file=sys.stderr)
            seconds, w, converged = fit(make, rows, y, int(turns))
            w.astype(float).tofile(weights)
            command = [program, path, loss, str(LAMBDA), weights, str(5 + 20 * seconds), turns]
            words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            its, ours, our_primal, epochs = (float(word) for word in words)
            found = f"{ours:.4g} | {our_primal:.9g} | {epochs:.1f} | {seconds / ours:.2f}"
            print(f"| {os.path.basename(path)} | {loss} | {name} | {'yes' if converged else 'no'} "
                  f"| {seconds:.4g} | {its:.9g} | {found if ours > 0 else '- | - | - | not reached'} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
