"""A bias equals a constant column in the file, and LIBLINEAR's -B."""
import sys

import h5py
import numpy as np
import scipy.sparse as sp

import oracle
from oracle import check, near

BIAS = 2.0


def rows(density):
    """Rows whose labels need a bias."""
    rng = np.random.default_rng(3)
    x = np.where(rng.random((150, 12)) < density, rng.integers(1, 32, (150, 12)) / 8.0, 0.0)
    return x, x @ rng.normal(size=12) + rng.normal(size=150) - 4.0 * density


def save(path, x, y, kind, dense=False):
    """A data file."""
    with h5py.File(path, "w") as file:
        file["y"] = y
        if dense:
            file["X"] = x.astype(kind)
            return
        x = sp.csr_matrix(x.astype(kind))
        group = file.create_group("X")
        group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", x.shape
        group["data"], group["indices"], group["indptr"] = x.data, x.indices, x.indptr


def forms():
    """Sparse and full rows, in sparse and dense files, in both precisions."""
    for density in (0.2, 0.9):
        x, z = rows(density)
        for kind in (np.float32, np.float64):
            for dense in (False, True):
                shift = 0.1 if kind is np.float64 else 0.0  # not exact in float32
                yield (f"{density}-{kind.__name__}-{'dense' if dense else 'csr'}",
                       np.where(x != 0.0, x + shift, 0.0), np.sign(z), kind, dense)


def write():
    """Each form with and without the bias column, and text for LIBLINEAR."""
    for name, x, y, kind, dense in forms():
        save(f"without-{name}.h5", x, y, kind, dense)
        save(f"with-{name}.h5", np.hstack([x, np.full((150, 1), BIAS)]), y, kind, dense)
    x, z = rows(0.9)
    save("wider.h5", np.hstack([x, x]), np.sign(z), np.float64)
    save("narrower.h5", x[:, :7], np.sign(z), np.float64)
    for name, y in (("signs", np.sign(z)), ("real", z)):
        with open(name + ".txt", "w", encoding="utf-8") as file:
            for row, label in zip(x, y):
                pairs = " ".join(f"{j + 1}:{float(v)!r}" for j, v in enumerate(row) if v != 0.0)
                file.write(f"{float(label)!r} {pairs}\n")


def read_model(path):
    """w with the weight of the bias appended."""
    with h5py.File(path, "r") as model:
        check(model.attrs["bias-value"] == BIAS, f"{path}: value of the bias")
        return np.append(model["w"][:], model.attrs["bias"] / BIAS)


def read_liblinear(path):
    """The weights in a LIBLINEAR model file, with the sign of its first label."""
    with open(path, encoding="utf-8") as file:
        words = file.read().split()
    sign = float(words[words.index("label") + 1]) if "label" in words else 1.0
    check(float(words[words.index("bias") + 1]) == BIAS, f"{path}: bias")
    return sign * np.array(words[words.index("w") + 1:], dtype=float)


def judge_scores(name, x, normalized):
    """Check that scores are w.x + b."""
    model = read_model("model-normalized.h5" if normalized else "model-hinge.h5")
    if normalized:
        x = x / np.maximum(np.linalg.norm(x, axis=1), 1e-300)[:, None]
    both = min(12, x.shape[1])
    score = np.loadtxt(name + ".csv", delimiter=",", skiprows=1)[:, 1]
    near(score, x[:, :both] @ model[:both] + BIAS * model[12], 1e-6, name)


def judge():
    """Compare all models."""
    for name, *_ in forms():  # full rows sum squares in another order
        near(read_model(f"model-without-{name}.h5"), oracle.read_w(f"model-with-{name}.h5"),
             0.0 if name.startswith("0.2") else 1e-9, name)
    for loss in ("hinge", "squared-hinge", "logistic", "epsilon-insensitive"):
        ours, theirs = read_model(f"model-{loss}.h5"), read_liblinear(f"{loss}.liblinear")
        near(ours, theirs, 1e-2, f"{loss}: w beside LIBLINEAR's")
        near(read_liblinear(f"{loss}.exported"), ours, 1e-12, f"{loss}: exported")
        check(abs(ours[12]) > 0.01, f"{loss}: this test needs a bias")
    x, z = rows(0.9)
    judge_scores("predicted", x, False)
    judge_scores("predicted-wider", np.hstack([x, x]), False)
    judge_scores("predicted-narrower", x[:, :7], False)
    judge_scores("predicted-normalized", x, True)
    # The test error during training, of w.x + b, on a set with more columns.
    plain = x @ read_model("model-hinge.h5")[:12]
    score = plain + BIAS * read_model("model-hinge.h5")[12]
    error = np.mean((score > 0.0) != (z > 0.0))
    summary = oracle.read_summary("summary.json")
    check(error != np.mean((plain > 0.0) != (z > 0.0)), "this test needs a bias that matters")
    near(summary["test_error"], error, 1e-12, "test error")
    with open("predicted.out", encoding="utf-8") as file:
        check(f"({error * 150:.0f} of 150 rows)" in file.read(), f"expected the error {error}")
    check(summary["columns"] == 12, "columns without that of the bias")
    # Normalised rows with the constant column appended: the optimum of that problem.
    unit = np.hstack([x / np.linalg.norm(x, axis=1)[:, None], np.full((150, 1), BIAS)])
    primal = oracle.primal("hinge", unit, np.sign(z), 0.01, read_model("model-normalized.h5"))
    near(primal, oracle.read_summary("normalized.json")["primal"], 1e-6, "P of normalised rows with a bias")
    text = np.loadtxt("weights.txt")
    near(text[12], BIAS * read_model("model-hinge.h5")[12], 1e-12, "bias as text")
    table = np.loadtxt("likely.csv", delimiter=",", skiprows=1)
    with open("likely.csv", encoding="utf-8") as file:
        check(file.readline() == "prediction,score,probability_1,certain,probability_low_1,probability_high_1\n", "header of likely.csv")
    near(table[:, 2], 1.0 / (1.0 + np.exp(-table[:, 1])), 1e-12, "probabilities")
    with h5py.File("likely.h5", "r") as file:
        check(np.array_equal(file["probability"][:], table[:, 2]), "probabilities in HDF5")
    theirs = np.loadtxt("likely.liblinear", skiprows=1)
    with open("likely.liblinear", encoding="utf-8") as file:
        column = 1 + [float(label) for label in file.readline().split()[1:]].index(1.0)
    near(theirs[:, column], table[:, 2], 1e-5, "probabilities by LIBLINEAR")


if __name__ == "__main__":
    {"write": write, "check": judge}[sys.argv[1]]()
