"""Compare trained models with other solvers: none finds a better w.

    optimality.py write FILE    write a small text file with awkward but learnable rows
    optimality.py check         check all DATA-LOSS-SOLVER-RANKS.json in this directory"""
import glob
import subprocess
import sys
import warnings

import numpy as np
import scipy.optimize
from sklearn.svm import LinearSVR

import oracle
from oracle import check, near

LIBLINEAR_SOLVER = {"hinge": 3, "squared-hinge": 1, "logistic": 7}


def write_small(path):
    """Labels 0 and 1, rows of very different lengths, an empty row, unused
    columns, comments and blank lines."""
    generator = np.random.default_rng(7)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# rows of a test\n\n")
        for row in range(120):
            columns = np.sort(generator.choice(30, generator.integers(1, 9), replace=False))
            values = generator.normal(size=len(columns)) * 10.0 ** generator.integers(-1, 2)
            label = int(values.sum() + generator.normal() > 0.0)
            words = " ".join(f"{2 * c + 1}:{v!r}" for c, v in zip(columns, values))
            file.write(f"{label} {words if row != 50 else ''} # row {row}\n")


def liblinear(name, x, y, lam):
    """w of liblinear-train."""
    with open("peer.txt", "w", encoding="utf-8") as file:
        for i, label in enumerate(y):
            pairs = zip(x[i].indices, x[i].data)
            words = " ".join(f"{column + 1}:{float(value)!r}" for column, value in pairs)
            file.write(f"{label:+.0f} {words}\n")
    subprocess.run(["liblinear-train", "-q", "-s", str(LIBLINEAR_SOLVER[name]), "-e", "1e-8",
                    "-B", "-1", "-c", repr(1.0 / (lam * x.shape[0])), "peer.txt", "peer.model"],
                   check=True, stdout=subprocess.DEVNULL)
    with open("peer.model", encoding="utf-8") as file:
        lines = file.read().split("\n")
    first = float(next(line for line in lines if line.startswith("label")).split()[1])
    w = np.array([float(v) for v in lines[lines.index("w") + 1:] if v.strip()])
    w = np.concatenate([w, np.zeros(x.shape[1] - len(w))])
    return w if first > 0.0 else -w


def ridge(x, y, lam):
    """The closed form: (2/n) X'(Xw - y) + lambda w = 0."""
    n, d = x.shape
    dense = x.toarray()
    return np.linalg.solve(2.0 / n * dense.T @ dense + lam * np.eye(d), 2.0 / n * dense.T @ y)


def derivatives(name, z, y, parameter):
    """phi' of the smooth losses for which no other program is used."""
    if name == "smooth-hinge":
        return -y * np.clip((1.0 - y * z) / parameter, 0.0, 1.0)
    return np.clip(z - y, -parameter, parameter)


def quasi_newton(name, x, y, lam, parameter):
    """L-BFGS on P, with its gradient."""
    def objective(w):
        slope = derivatives(name, x @ w, y, parameter)
        return oracle.primal(name, x, y, lam, w, parameter), x.T @ slope / len(y) + lam * w
    return scipy.optimize.minimize(objective, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B",
                                   options={"maxiter": 20000, "maxfun": 40000, "ftol": 1e-15,
                                            "gtol": 1e-10, "maxcor": 30}).x


def support_vector_regression(x, y, lam, epsilon):
    """scikit-learn's LinearSVR; absolute loss is epsilon 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svr = LinearSVR(epsilon=epsilon, C=1.0 / (lam * x.shape[0]), fit_intercept=False,
                        loss="epsilon_insensitive", tol=1e-8, max_iter=1000000, random_state=1)
        return svr.fit(x, y).coef_


def best_of_others(name, x, y, lam, parameter):
    """w by another program."""
    if name in LIBLINEAR_SOLVER:
        return liblinear(name, x, y, lam)
    if name == "squared":
        return ridge(x, y, lam)
    if name in ("smooth-hinge", "huber"):
        return quasi_newton(name, x, y, lam, parameter)
    return support_vector_regression(x, y, lam, parameter or 0.0)


def judge(stem, peers):
    """Compare one run with its peer."""
    data = stem.split("-")[0]
    run = oracle.read_summary(stem + ".json")
    name, lam = run["loss"], run["lambda"]
    parameter = run.get("gamma", run.get("epsilon", run.get("delta")))
    x, y = oracle.read_data(data + ".h5")
    if name in oracle.CLASSIFICATION:
        y = oracle.signs(y)
    near(run["C"], 1.0 / (lam * len(y)), 1e-12, f"{stem}: C")
    check([run["rows"], run["columns"], run["nonzeros"]] == [*x.shape, x.nnz],
          f"{stem}: sizes {x.shape}, {x.nnz} reported as {run}")

    reported = run["primal"]
    near(oracle.primal(name, x, y, lam, oracle.read_w(stem + ".h5"), parameter), reported, 1e-9,
         f"{stem}: P of the model's w against the reported primal")
    near(run["dual"], reported - run["gap"], 1e-12, f"{stem}: dual")
    near(run["rel_gap"], run["gap"] / reported, 1e-12, f"{stem}: relative gap")
    check(run["status"] == "converged" and 0.0 <= run["rel_gap"] <= 1e-8, f"{stem}: {run}")

    if (data, name) not in peers:
        peers[data, name] = oracle.primal(
            name, x, y, lam, best_of_others(name, x, y, lam, parameter), parameter)
    peer = peers[data, name]
    print(f"{stem:32} P {reported:.12g}, peer {peer:.12g}, relative {reported / peer - 1.0:.1e}")
    near(reported, peer, 1e-6, f"{stem}: primal against the peer's")
    check(run["dual"] <= peer * (1.0 + 1e-12),
          f"{stem}: the dual {run['dual']!r} is above P {peer!r} of a peer's w")
    check_history(stem, name, y, parameter, peer)


def check_history(stem, name, y, parameter, peer):
    """At alpha = 0, w = 0, P and D are known; no dual value exceeds the optimum."""
    history = oracle.read_history(stem + ".csv")
    start = np.mean(oracle.losses(name, np.zeros(len(y)), y, parameter))
    check(history["epoch"][0] == 0.0 and history["round"][0] == 0.0, f"{stem}: no start in history")
    near(history["primal"][0], start, 1e-12, f"{stem}: primal at the start")
    if not stem.startswith("small"):  # the best alpha of its empty row is not 0
        check(abs(history["dual"][0]) <= 1e-15 * start, f"{stem}: dual {history['dual'][0]} at 0")
    check(np.all(history["dual"] <= peer * (1.0 + 1e-12)),
          f"{stem}: a dual {np.max(history['dual'])!r} in the history is above P {peer!r}")


def main():
    """See the module docstring."""
    if sys.argv[1] == "write":
        write_small(sys.argv[2])
        return
    stems = sorted(path[:-len(".json")] for path in glob.glob("*.json"))
    check(len(stems) == 52, f"expected 52 runs, got {len(stems)}")
    peers = {}
    for stem in stems:
        judge(stem, peers)


main()
