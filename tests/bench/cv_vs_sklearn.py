"""5 folds x 13 lambda of logistic regression: sdca beside scikit-learn's LogisticRegressionCV, and beside
LIBLINEAR's program.

usage: cv_vs_sklearn.py SDCA DATA.h5 [SOLVER...]

SOLVER is liblinear or lbfgs of scikit-learn, or liblinear-train, which is called with -v 5 for each lambda, to its
default tolerance on folds of its own.

All use the same folds (sdca's, from --fold-file), the same lambda, no intercept and one
process; scikit-learn stops at its default tolerance. DATA.h5 has labels of two classes and a sparse X without weights.
"""
import json
import resource
import subprocess
import sys
import time

import h5py
import numpy as np
import scipy.sparse
from sklearn.datasets import dump_svmlight_file
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import PredefinedSplit

FIRST, LAST, COUNT, FOLDS = 1e-1, 1e-6, 13, 5


def load(path):
    with h5py.File(path) as file:
        group = file["X"]
        shape = tuple(int(k) for k in group.attrs["shape"])
        x = scipy.sparse.csr_matrix((group["data"][...].astype(float), group["indices"][...], group["indptr"][...]), shape)
        return x, np.sign(file["y"][...] - file["y"][...].mean())


def call_liblinear(x, y, Cs):
    """Cross-validation by LIBLINEAR's program, once per C; user seconds of all of them, reading included."""
    dump_svmlight_file(x, y, "cv.txt", zero_based=False)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    for C in Cs:
        subprocess.run(["liblinear-train", "-q", "-s", "7", "-B", "-1", "-c", repr(float(C)), "-v", str(FOLDS), "cv.txt"],
                       check=True, stdout=subprocess.DEVNULL)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print(f"liblinear-train -s 7 -v {FOLDS}: {seconds:.2f} user seconds, reading included")


def main():
    program, data, *solvers = sys.argv[1:]
    x, y = load(data)
    start = time.perf_counter()
    subprocess.run([program, "train", data, "-o", "cv.h5", "--loss", "logistic", "--lambda", f"{FIRST}:{LAST}:{COUNT}",
                    "--folds", str(FOLDS), "--fold-file", "cv.folds", "--summary", "cv.json", "--quiet"], check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    print(f"sdca: {time.perf_counter() - start:.2f} s, {used:.2f} user seconds, reading included, every fit certified to a relative gap of 1e-3")
    folds = np.loadtxt("cv.folds").astype(int) - 1
    with open("cv.json", encoding="ascii") as file:
        fits = json.load(file)["selection"]["fits"]
    lambdas = np.array([fit["lambda"] for fit in fits])
    rows = (folds != 0).sum()
    for solver in solvers or ["liblinear", "lbfgs", "liblinear-train"]:
        if solver == "liblinear-train":
            call_liblinear(x, y, 1 / (lambdas * rows))
            continue
        start = time.perf_counter()
        model = LogisticRegressionCV(Cs=np.sort(1 / (lambdas * rows)), cv=PredefinedSplit(folds), fit_intercept=False,
                                     solver=solver, max_iter=1000, n_jobs=1).fit(x, y)
        seconds = time.perf_counter() - start
        path, off = list(model.coefs_paths_.values())[0], 0.0
        for k, lam in enumerate(lambdas):  # ascending C is descending lambda
            train = folds != 0
            error = 1 - ((x[~train] @ path[0][k] > 0) == (y[~train] > 0)).mean()
            off = max(off, abs(error - fits[k]["value"][0]))
        print(f"scikit-learn {solver}: {seconds:.2f} s; errors of the first fold differ by at most {off:.4f}")


if __name__ == "__main__":
    main()
