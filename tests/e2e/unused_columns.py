"""Columns with gaps against the same rows without gaps; h5py and scikit-learn are the reference."""
import sys

import h5py
import numpy as np
import scipy.sparse as sp

from oracle import check, near, primal, read_data, read_history, read_summary

ROWS, USED, TOTAL = 600, 500, 10_000_000
LARGEST = 2**31 - 2


def columns(total):
    """Indices of the columns in use, among them the first and the last."""
    chosen = np.random.default_rng(7).choice(total - 2, USED - 2, replace=False) + 1
    return np.sort(np.concatenate(([0, total - 1], chosen)))


def rows(seed, width):
    """Rows with this number of columns, all in use, and labels."""
    x = sp.random(ROWS, width, density=0.02, format="csr", random_state=seed)
    x.data = np.round(8.0 * x.data) / 8.0 + 0.125
    each = np.arange(ROWS)
    x = sp.csr_matrix(x + sp.csr_matrix((np.full(ROWS, 0.5), (each, each % width)), x.shape))
    x.sort_indices()
    w = np.random.default_rng(11).normal(size=width) * (np.arange(width) < USED)
    return x, np.where(x @ w + 0.3 * np.random.default_rng(seed).normal(size=ROWS) > 0, 1.0, -1.0)


def spread(x, numbers, total):
    """The same rows with other, ascending, column indices."""
    return sp.csr_matrix((x.data, np.asarray(numbers)[x.indices], x.indptr), (x.shape[0], total))


def save(path, x, y, names=None):
    """Write a data file."""
    with h5py.File(path, "w") as file:
        file["y"] = y
        if names is not None:
            file.create_group("var")["_index"] = names
        if not sp.issparse(x):
            file["X"] = x
            return
        group = file.create_group("X")
        group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", x.shape
        group["data"], group["indices"], group["indptr"] = x.data, x.indices, x.indptr


def write():
    """Text with and without gaps; test sets with additional columns."""
    from sklearn.datasets import dump_svmlight_file  # slow to import, and only needed here

    x, y = rows(1, USED)
    for name, numbers, total in (("gaps", columns(TOTAL), TOTAL), ("none", np.arange(USED), USED)):
        dump_svmlight_file(spread(x, numbers, total), y, name + ".txt", zero_based=False)
    # The most unused columns that are not left out, and the maximum number of columns.
    save("some.h5", spread(x, 2 * np.arange(USED), 2 * USED - 1), y)
    save("most.h5", spread(x, columns(LARGEST), LARGEST), y)

    test, y = rows(2, USED + 50)
    known = columns(TOTAL)
    unknown = np.setdiff1d(known[:-1] + 1, known)[:40]
    order = np.argsort(np.concatenate((known, unknown, TOTAL + np.arange(10))))
    numbers = np.concatenate((known, unknown, TOTAL + np.arange(10)))[order]
    save("gaps-test.h5", spread(sp.csr_matrix(test[:, order]), numbers, TOTAL + 10), y)
    save("none-test.h5", test, y)

    # Every third of 90 columns, and a full test set.
    few = spread(rows(3, 30)[0], 3 * np.arange(30), 90)
    save("few.h5", few, y, [f"column {j}" for j in range(90)])
    save("few-test.h5", np.random.default_rng(5).normal(size=(50, 88)).round(3), y[:50])
    save("empty.h5", sp.csr_matrix((5, 1000)), y[:5])


def same(found, expected, numbers, total, what):
    """Two models or checkpoints of the same run, except for column indices."""
    with h5py.File(found) as first, h5py.File(expected) as second:
        bias = second["w"].size - len(numbers)  # in checkpoints
        check(first["w"].shape == (total + bias,), f"{what}: w has the shape {first['w'].shape}")
        if total < LARGEST:
            w = first["w"][:]
            check(np.array_equal(w[numbers], second["w"][:len(numbers)]), f"{what}: other weights")
            check(np.array_equal(w[total:], second["w"][len(numbers):]), f"{what}: another weight of the bias")
            check(np.count_nonzero(w[:total]) <= len(numbers), f"{what}: weights of columns that are not in use")
        else:
            w = [first["w"][j] for j in numbers]
            check(np.array_equal(w, second["w"][:len(numbers)]), f"{what}: other weights")
            check(first["w"][1 + numbers[0]] == 0.0, f"{what}: a weight of a column that is not in use")
        check(first.attrs["bias"] == second.attrs["bias"], f"{what}: another bias")
        for name in ("primal", "dual", "gap"):
            check(first["certificate"].attrs[name] == second["certificate"].attrs[name], f"{what}: another {name}")
        for name in ("alpha", "kept/alpha"):
            check((name in first) == (name in second), f"{what}: {name} in one of them")
            check(name not in first or np.array_equal(first[name], second[name]), f"{what}: another {name}")
        for name in second["history"]:
            check(name == "seconds" or np.array_equal(first["history"][name], second["history"][name], equal_nan=True),
                  f"{what}: another {name} in the history")


def compare(*names):
    """gaps-NAME.h5 and none-NAME.h5."""
    for name in names:
        same(f"gaps-{name}.h5", f"none-{name}.h5", columns(TOTAL), TOTAL, name)
    same("none-resumed.h5", "none-whole.h5", np.arange(USED), USED, "a run that was resumed")


def judge():
    """Check the rest with h5py, NumPy and SciPy."""
    same("some-model.h5", "none-model.h5", 2 * np.arange(USED), 2 * USED - 1, "a few not in use")
    same("most-model.h5", "none-model.h5", columns(LARGEST), LARGEST, "2^31 - 2 columns")
    judge_model()
    judge_ranks()
    judge_few()


def judge_model():
    """P(w), scores and exported weights."""
    x, y = read_data("gaps.h5")
    with h5py.File("gaps-model.h5") as file:
        w, lam = file["w"][:], file.attrs["lambda"]
        near(file["certificate"].attrs["primal"], primal("hinge", x, y, lam, w), 1e-12, "P(w)")
    near(np.loadtxt("weights.txt"), w, 1e-15, "exported weights")
    for name in ("predicted", "predicted-most"):
        scores = np.genfromtxt(name + ".csv", delimiter=",", names=True)["score"]
        near(scores, x @ w, 1e-12, "scores")


def judge_ranks():
    """Test errors, and exchanged bytes."""
    test, y = read_data("gaps-test.h5")
    length = np.sqrt(np.asarray(test.multiply(test).sum(axis=1)).ravel())
    for ranks in (1, 2, 4):
        with h5py.File(f"gaps-{ranks}.h5") as file:
            w, bias = file["w"][:], file.attrs["bias"]
        wrong = np.mean((test[:, :TOTAL] @ w / length + bias > 0) != (y > 0))
        for name in ("gaps", "none"):
            summary = read_summary(f"{name}-{ranks}.json")
            near(summary["test_error"], wrong, 1e-12, f"test error of {name}")
            check(summary["columns"] == (TOTAL if name == "gaps" else USED), f"got {summary}")
        sent = [read_history(f"{name}-{ranks}.csv")["bytes"] for name in ("gaps", "none")]
        check(np.array_equal(*sent), f"on {ranks} ranks {sent} bytes were exchanged")


def judge_few():
    """A full test set, and the names of all columns."""
    with h5py.File("few-model.h5") as file:
        w = file["w"][:]
        check(w.shape == (90,) and not w[1::3].any() and not w[2::3].any() and w[0::3].all(), f"got {w}")
        check(file["column_names"].shape == (90,), "names are missing")
    with h5py.File("few-test.h5") as file:
        wrong = np.mean((file["X"][:] @ w[:88] > 0) != (file["y"][:] > 0))
    near(read_summary("few.json")["test_error"], wrong, 1e-12, "test error of full rows")


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
