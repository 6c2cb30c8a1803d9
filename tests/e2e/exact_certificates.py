"""Certificates against exact arithmetic, on data of adversarial scales.

    exact_certificates.py SDCA MPIRUN [--runs N] [--seed S]

Each run trains a small random problem: columns, rows and labels of any scale, lambda from
1e-16 to 100, targets down to 1e-14. P(w) and D(alpha) of the output are then
computed in rational arithmetic, for the logistic loss with 80 decimal digits. These must
hold without tolerance:

    P(w) - D(alpha) <= gap, and primal - gap <= D(alpha), for every run;
    P(w) - D(alpha) <= the target, for a run with exit status 0;
    P(w) - P(v) <= gap, for v of every other solver."""
import argparse
import decimal
import fractions
import json
import math
import os
import subprocess
import sys

import h5py
import numpy as np

CLASSIFIES = ["hinge", "smooth-hinge", "squared-hinge", "logistic"]
REGRESSION = ["squared", "absolute", "epsilon-insensitive", "huber"]
SOLVERS = ["sdca", "newton", "sgd"]
decimal.getcontext().prec = 80
decimal.getcontext().Emin = -10**8
decimal.getcontext().Emax = 10**8
HALF = fractions.Fraction(1, 2)


def exact(value):
    return fractions.Fraction(float(value))


def to_decimal(x):
    return decimal.Decimal(x.numerator) / decimal.Decimal(x.denominator)


def log_loss(margin):
    m = to_decimal(margin)
    return fractions.Fraction((1 + (-m).exp()).ln() if m > 0 else -m + (1 + m.exp()).ln())


def entropy(b):
    """b ln b + (1-b) ln(1-b)."""
    if b in (0, 1):
        return fractions.Fraction(0)
    x = to_decimal(b)
    return fractions.Fraction(x * x.ln() + (1 - x) * (1 - x).ln())


def loss(name, p, z, y):
    r = 1 - y * z if name in CLASSIFIES else abs(z - y)
    if name == "hinge":
        return max(r, 0)
    if name == "smooth-hinge":
        return 0 if r <= 0 else r * r / (2 * p) if r <= p else r - p / 2
    if name == "squared-hinge":
        return max(r, 0) ** 2
    if name == "logistic":
        return log_loss(y * z)
    if name == "squared":
        return r * r
    if name == "huber":
        return r * r / 2 if r <= p else p * (r - p / 2)
    return max(r - p, 0) if name == "epsilon-insensitive" else r


def minus_conjugate(name, p, a, y):
    """-phi*(-a); infinite, hence an error, outside the feasible interval."""
    b = y * a
    if name in ("hinge", "smooth-hinge", "logistic"):
        assert 0 <= b <= 1, f"{name}: b = {float(b)} is not feasible"
    if name == "squared-hinge":
        assert b >= 0
    if name in ("absolute", "epsilon-insensitive"):
        assert abs(a) <= 1
    if name == "huber":
        assert abs(a) <= p
    return {"hinge": lambda: b,
            "smooth-hinge": lambda: b - p * b * b / 2,
            "squared-hinge": lambda: b - b * b / 4,
            "logistic": lambda: -entropy(b),
            "squared": lambda: b - a * a / 4,
            "absolute": lambda: b,
            "epsilon-insensitive": lambda: b - p * abs(a),
            "huber": lambda: b - a * a / 2}[name]()


def make_problem(generator):
    """Rows, labels, loss and lambda."""
    name = generator.choice(CLASSIFIES + REGRESSION)
    n, d = int(generator.integers(1, 13)), int(generator.integers(1, 6))
    spread = generator.choice([0, 0, 1, 3, 6, 10, 15, 30])
    x = generator.normal(size=(n, d)) * 10.0 ** generator.uniform(-spread, spread, size=(1, d))
    if generator.random() < 0.4:
        x = x * 10.0 ** generator.uniform(-spread / 2, spread / 2, size=(n, 1))
    if generator.random() < 0.3:
        x[generator.integers(n)] = x[0]
    if generator.random() < 0.3:
        x[generator.random(size=x.shape) < 0.4] = 0.0
    z = x @ generator.normal(size=d)
    if name in CLASSIFIES:
        y = np.where(z + generator.choice([0.0, 1.0]) * generator.normal(size=n) > 0.0, 1.0, -1.0)
        if len(set(y)) < 2 and n > 1:
            y[0] = -y[0]
    else:
        y = z + 10.0 ** generator.choice([-3, 0, 3, 6, 9, 12, 18]) * generator.choice([0, 1]) \
            + generator.normal(size=n) * generator.choice([0.0, 1e-6, 1.0])
    lam = 10.0 ** generator.uniform(-16.0, 2.0)
    return name, x, y, lam


def check_run(what, model, ckpt, x, y, name, p, lam, bias, code, target):
    """P(w) exactly, after all checks of one run; None if training was rejected."""
    with h5py.File(model) as file:
        w = [exact(v) for v in file["w"][:]]
        offset = exact(file.attrs["bias"])
        told = {k: exact(file["certificate"].attrs[k]) if
                math.isfinite(file["certificate"].attrs[k]) else None
                for k in ("primal", "gap")}
    rows = [[exact(v) for v in row] for row in x]
    labels = [exact(v) for v in y]
    n, lam, p = len(rows), exact(lam), exact(p)
    b = exact(np.float32(bias))
    margins = [sum((s * t for s, t in zip(row, w)), offset) for row in rows]
    norm2 = sum((v * v for v in w), (offset / b) ** 2 if b else fractions.Fraction(0))
    primal = sum((loss(name, p, z, t) for z, t in zip(margins, labels)), fractions.Fraction(0)) / n \
        + lam * HALF * norm2
    if ckpt is not None:
        with h5py.File(ckpt) as file:
            alpha = [exact(v) for v in file["alpha"][:]]
        sums = [sum((a * row[j] for a, row in zip(alpha, rows)), fractions.Fraction(0))
                for j in range(len(w))] + [b * sum(alpha)]
        dual = sum((minus_conjugate(name, p, a, t) for a, t in zip(alpha, labels)),
                   fractions.Fraction(0)) / n - sum(v * v for v in sums) * HALF / (lam * n * n)
        gap = primal - dual
        if told["gap"] is not None:
            assert gap <= told["gap"], f"{what}: gap {float(told['gap'])} reported, {float(gap)} true"
            assert told["primal"] - told["gap"] <= dual, f"{what}: dual {float(dual)} true"
        if code == 0:
            wanted = exact(target[1]) * (primal if target[0] == "--rel-gap" else 1)
            assert gap <= wanted, f"{what}: exit status 0, gap {float(gap)}, target {float(wanted)}"
    return primal, told["gap"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sdca")
    parser.add_argument("mpirun")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    codes, proven = {}, 0
    for trial in range(options.runs):
        generator = np.random.default_rng([options.seed, trial])
        name, x, y, lam = make_problem(generator)
        bias = float(generator.choice([0.0, 0.0, 1.0, 1e6]))
        p = {"smooth-hinge": 0.5, "epsilon-insensitive": 0.125, "huber": 0.25}.get(name, 0.0)
        target = (generator.choice(["--gap", "--rel-gap"]),
                  repr(float(10.0 ** generator.uniform(-14.0, -2.0))))
        with h5py.File("d.h5", "w") as file:
            file["X"], file["y"] = x, y
        found = []
        for solver in SOLVERS:
            ranks = 1 if solver == "sgd" else int(generator.choice([1, 1, 1, 1, 1, 2, 3, 4]))
            command = [options.sdca, "train", "d.h5", "-o", "m.h5", "--loss", name,
                       "--lambda", repr(lam), "--solver", solver, *target, "--output", "last",
                       "--checkpoint", "c.h5", "--epochs", "400", "--quiet"]
            command += ["--bias", repr(bias)] if bias else []
            command += {"smooth-hinge": ["--gamma", "0.5"],
                        "epsilon-insensitive": ["--epsilon", "0.125"],
                        "huber": ["--delta", "0.25"]}.get(name, [])
            if ranks > 1:
                command = [options.mpirun, "-np", str(ranks), *command, "--all-ranks"]
            for leftover in ("m.h5", "c.h5", "c.h5.1", "c.h5.old"):
                if os.path.exists(leftover):
                    os.remove(leftover)
            done = subprocess.run(command, capture_output=True, text=True, timeout=150)
            what = f"seed {options.seed} trial {trial} {solver} on {ranks}"
            codes[done.returncode] = codes.get(done.returncode, 0) + 1
            diverges = done.returncode == 64 and "SGD diverges" in done.stderr
            too_large = done.returncode == 65 and "too large" in done.stderr
            assert done.returncode in (0, 3) or diverges or too_large, f"{what}: {done}"
            if done.returncode in (0, 3):
                found.append((what, *check_run(
                    what, "m.h5", "c.h5" if solver != "sgd" else None, x, y, name, p, lam, bias,
                    done.returncode, (target[0], float(target[1])))))
        for what, primal, gap in found:
            for other, least, _ in found:
                assert gap is None or primal - least <= gap, f"{what}: {other} is better"
                proven += 1
    print(json.dumps({"exit statuses": codes, "comparisons": proven}))
    assert codes.get(0, 0) > options.runs / 4 and codes.get(3, 0) > options.runs / 10


if __name__ == "__main__":
    sys.exit(main())
