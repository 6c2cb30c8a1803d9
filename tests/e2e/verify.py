"""Data for verify, altered models, and leave-one-out errors by training."""
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np

from oracle import check


def write():
    generator = np.random.default_rng(5)
    x = np.float32(generator.normal(size=(150, 6)) * [1, 2, 0.5, 1, 1, 3])
    x[7] = 0.0
    score = x @ generator.normal(size=6) / 3 + 0.3
    with h5py.File("two.h5", "w") as file:
        file["X"], file["y"] = x, np.where(score + generator.normal(size=150) > 0, 5.0, 2.0)
        file["weight"] = generator.integers(0, 4, size=150) * 0.5
    with h5py.File("five.h5", "w") as file:
        file["X"], file["y"] = x, np.clip(np.floor(score + generator.normal(size=150)), -2, 2)
    with h5py.File("real.h5", "w") as file:
        file["X"], file["y"] = x, score + generator.normal(size=150)
    with h5py.File("hashed.h5", "w") as file:  # most columns are left out in memory
        wide = np.zeros((150, 4000), np.float32)
        wide[:, 3::700] = x
        file["X"], file["y"] = wide, np.where(score > 0, 1.0, -1.0)
    with h5py.File("zero.h5", "w") as file:  # P = D = 0, without rounding errors
        file["X"], file["y"] = x, np.zeros(150)
    with h5py.File("one.h5", "w") as file:  # P falls by 9 digits in one round of Newton's method
        file["X"], file["y"] = [[0.01, -28.0, 0.05]], [-0.03]
    with h5py.File("scales.h5", "w") as file:  # most of the gap is the bound on rounding errors
        file["X"], file["y"] = x[:40, :2] * [1e3, 10.0], generator.normal(size=40)


def scale(at, factor):
    def change(file):
        file[at[0]][at[1:]] = file[at[0]][at[1:]] * factor
    return change


def put(name, at, value):
    def change(file):
        file[name][at] = value
    return change


def attribute(group, name, factor):
    def change(file):
        file[group].attrs[name] = file[group].attrs[name] * factor
    return change


def shorten(file):
    numbers = file["dual"][:-1]
    del file["dual"]
    file["dual"] = numbers


def move(file):
    """Another feasible dual point near the first one."""
    numbers = file["dual"][:]
    row = int(np.argmax(np.abs(numbers)))
    file["dual"][row] = numbers[row] * 0.99


# What is altered, in which file, and what verify has to say of it.
ALTERED = [
    ("two-logistic.model", scale(("w", 2), 1 + 1e-8), "altered: the weight of column 2 is"),
    ("two-logistic.model", attribute("/", "bias", 1 + 1e-8), "altered: its bias is"),
    ("two-logistic.model", move, "altered: the weight of column 0 is"),
    ("two-logistic.model", put("dual", 3, 7.0), "altered: the dual variable of row 3 is 7, which is not feasible"),
    ("two-logistic.model", put("dual", 3, np.nan), "altered: the dual variable of row 3 is nan"),
    ("two-logistic.model", attribute("/", "lambda", 1 + 1e-6), "altered: its C is"),
    ("two-logistic.model", attribute("certificate", "primal", 1 - 1e-9), "altered: its primal objective is"),
    ("two-logistic.model", attribute("certificate", "dual", 1 + 1e-6), "altered: its dual objective is"),
    ("two-logistic.model", attribute("certificate", "gap", 0.9), "altered: its duality gap is"),
    ("two-logistic.model", attribute("certificate", "distance", 0.9), "altered: its distance from the optimum is"),
    ("two-logistic.model", attribute("certificate", "distance", 1.001), "altered: its distance from the optimum is"),
    ("two-logistic.model", attribute("certificate", "rounding", 0.0), "altered: its bound on rounding errors is"),
    ("two-logistic.model", attribute("certificate", "target_rel_gap", 1e-9), "altered: it is marked as converged, but its"),
    ("two-logistic.model", attribute("/", "C", 1 + 1e-9), "altered: its C is"),
    ("five-hinge.model", attribute("certificate", "target_rel_gap", 1e-9), "but its duality gap of class"),
    ("five-hinge.model", put("certificate/distance", 3, 7.0), "altered: its distance from the optimum of class 1 is"),
    ("two-logistic.model", attribute("certificate", "rounding", 1e12), "altered: its bound on rounding errors is"),
    ("two-logistic.model", shorten, "is not one number for each row"),
    ("five-hinge.model", shorten, "is not one number for each row and class"),
    ("five-hinge.model", scale(("w", 1, 2), 1 + 1e-8), "altered: the weight of column 2 of class -1 is"),
    ("five-hinge.model", put("dual", (4, 1), -3.0), "altered: the dual variable of class -1 of row 4 is -3"),
    ("five-hinge.model", put("certificate/gap", 2, 1e-9), "altered: its duality gap of class 0 is"),
    ("real-newton.model", scale(("w", 2), 1 + 1e-3), "altered: its primal objective is"),
    ("real-newton.model", scale(("w", 2), 1e200), "altered: its objective is not finite"),
    ("real-newton.model", put("dual", 5, 0.0), "altered: its duality gap is"),
    ("hashed.model", put("w", 17, 1e-3), "altered: a weight of a column without non-zeros is not 0"),
    ("two.h5", put("y", 3, 5.0), "trained on: its values, labels or weights are others"),
    ("two.h5", put("X", (3, 1), 0.1), "trained on: its values, labels or weights are others"),
    ("two.h5", put("X", (7, 1), 0.1), "trained on: it has 895 non-zeros, not 894"),
    ("two.h5", put("weight", 3, 9.0), "trained on: its values, labels or weights are others"),
]


def alter():
    """Make a model and data for each case, one of which is altered, and print what is to be said."""
    for number, (name, change, sentence) in enumerate(ALTERED):
        model, data = f"case-{number}.model", f"case-{number}.h5"
        shutil.copy("two-logistic.model" if name == "two.h5" else name, model)
        shutil.copy("hashed.h5" if name == "hashed.model" else name.split("-")[0].removesuffix(".h5") + ".h5", data)
        with h5py.File(data if name == "two.h5" else model, "r+") as file:
            change(file)
        print(sentence)


def leave_one_out(sdca, *class_weight):
    """The proven interval contains the error of training without each row, which is nearly all of it."""
    with h5py.File("two.h5", "r") as file:
        x, y, weight = file["X"][:40], file["y"][:40], np.maximum(file["weight"][:40], 0.5)
    C = 0.002 / 40

    def train(name, rows, *options):
        with h5py.File(name + ".h5", "w") as file:
            file["X"], file["y"], file["weight"] = x[rows], y[rows], weight[rows]
        subprocess.run([sdca, "train", name + ".h5", "-o", name + ".model", "--loss", "logistic", "--C", repr(C),
                        "--rel-gap", "1e-10", "--solver", "newton", "--bias", "1", "--quiet", *class_weight, *options],
                       check=True)

    train("all", np.arange(40), "--keep-dual")
    said = subprocess.run([sdca, "verify", "all.model", "all.h5"], check=True, capture_output=True, text=True).stdout
    low, high = (float(number) for number in re.search("Leave-one-out error: (.*) to (.*)\n", said).groups())
    wrong = 0.0
    for row in range(40):
        train("rest", np.arange(40) != row)
        with h5py.File("rest.model", "r") as file:
            score = file["w"][:] @ x[row] + file.attrs["bias"]
        wrong += weight[row] * ((score > 0) != (y[row] == 5.0))
    wrong /= weight.sum()
    check(low - 1e-6 <= wrong <= high + 1e-6, f"leave-one-out error {wrong}, not in [{low}, {high}]")
    check(high - low < 0.1 and high < 1.0, f"the interval [{low}, {high}] says nothing")
    print(f"leave-one-out error {wrong:.4f} in [{low}, {high}]")


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write()
    elif sys.argv[1] == "alter":
        alter()
    else:
        leave_one_out(sys.argv[2])
        leave_one_out(sys.argv[2], "--class-weight", "2=0.25")  # the error has no class weights
