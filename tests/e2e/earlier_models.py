"""Write models as earlier versions of sdca wrote them, with h5py.

Usage: earlier_models.py - makes first.h5, a model of the first version, without the fields that
were added later, and full.h5 with all fields; both have the same weights. data.h5 has rows that
the model predicts without an error.
"""
import h5py
import numpy as np

W = np.array([0.5, -0.25, 2.0])


def write_model(path, full):
    with h5py.File(path, "w") as file:
        file.attrs.update({"format": "sdca-model", "format-version": 1, "loss": "hinge",
                           "lambda": 0.01, "C": 25.0, "bias": 0.0, "normalize": "none",
                           "labels": np.array([3.0, 7.0])})
        file["w"] = W
        certificate = file.create_group("certificate")
        certificate.attrs.update({"status": "converged", "primal": 0.5, "dual": 0.4375, "gap": 0.0625})
        origin = file.create_group("origin")
        origin.attrs.update({"sdca-version": "0.0.1", "options": "data.h5 -o model.h5 --lambda 0.01",
                             "seed": 7, "ranks": 2, "rows": 4, "nonzeros": 12,
                             "data-fingerprint": "00000000000000ff"})
        history = file.create_group("history")
        for name in ("round", "epoch", "seconds", "primal", "dual", "gap", "test_error", "eta",
                     "sigma", "local_steps", "bytes"):
            history[name] = np.array([0.0, 1.0])
        if full:
            certificate.attrs.update({"rounding": 1e-14, "distance": 3.0, "test_error": 0.25})
            origin.attrs["solver"] = "sdca"
            seconds = file.create_group("seconds")
            for name in ("total", "read", "local", "communicate", "gap", "checkpoint"):
                seconds.attrs[name] = 0.5
            rounds = file.create_group("rounds")
            for name in ("round", "epoch", "seconds", "eta", "sigma", "local_steps"):
                rounds[name] = np.array([1.0])


write_model("first.h5", False)
write_model("full.h5", True)
with h5py.File("data.h5", "w") as data:
    rows = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]])
    data["X"] = rows
    data["y"] = np.where(rows @ W > 0.0, 7.0, 3.0)
