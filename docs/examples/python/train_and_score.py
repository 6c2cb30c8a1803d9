#!/usr/bin/env python3
"""From SciPy to sdca and back: write a data file, train, and use the model without sdca.

    train_and_score.py [SDCA]      SDCA: the program, build/sdca if not given

Needs NumPy, SciPy and h5py. Files go to the present directory."""
import subprocess
import sys

import h5py
import numpy as np
import scipy.sparse


def save(path, X, y):
    """A data file: sparse rows and their labels."""
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", X.shape
        group["data"], group["indices"], group["indptr"] = X.data, X.indices, X.indptr
        file["y"] = y


def scores(path, X):
    """What sdca predict makes of rows: the score of each, and its label."""
    with h5py.File(path, "r") as model:
        w, bias, labels = model["w"][:], model.attrs["bias"], model.attrs["labels"]
        if model.attrs["normalize"] == "rows":
            length = np.sqrt(X.multiply(X).sum(axis=1)).A1
            X = scipy.sparse.diags(1.0 / np.where(length > 0.0, length, 1.0)) @ X
    score = X @ w + bias
    return score, np.where(score > 0.0, labels[1], labels[0])


def main():
    """Train on some rows, and label others."""
    sdca = sys.argv[1] if len(sys.argv) > 1 else "build/sdca"
    rng = np.random.default_rng(1)
    X = scipy.sparse.random(3000, 400, density=0.05, format="csr", random_state=rng, data_rvs=rng.standard_normal)
    y = np.where(X @ rng.standard_normal(400) + 0.3 * rng.standard_normal(3000) > 0.0, 7, 3)
    save("train.h5", X[:2000], y[:2000])
    save("test.h5", X[2000:], y[2000:])

    subprocess.run([sdca, "train", "train.h5", "-o", "model.h5", "--loss", "logistic", "--lambda", "1e-4",
                    "--normalize", "rows", "--bias", "1", "--quiet"], check=True)

    score, label = scores("model.h5", X[2000:])
    np.savetxt("scores.csv", np.column_stack([label, score, 1.0 / (1.0 + np.exp(-score))]), delimiter=",",
               header="prediction,score,probability_7", comments="")
    print(f"{np.mean(label != y[2000:]):.1%} of 1000 labels are wrong; see scores.csv")


if __name__ == "__main__":
    main()
