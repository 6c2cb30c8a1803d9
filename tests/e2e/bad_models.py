"""Copies of model.h5 with one error in each."""
import shutil

import h5py
import numpy as np


def spoil(name, change):
    """Write a copy after change(file)."""
    shutil.copy("model.h5", name + ".h5")
    with h5py.File(name + ".h5", "r+") as file:
        change(file)


def replace(path, values):
    """Replace an array."""
    def change(file):
        del file[path]
        file[path] = values
    return change


spoil("newer", lambda file: file.attrs.modify("format-version", 99))
spoil("loss", lambda file: file.attrs.modify("loss", "hinged"))
spoil("normalize", lambda file: file.attrs.modify("normalize", "columns"))
spoil("table", replace("w", np.zeros((3, 3))))
spoil("names", lambda file: file.create_dataset("column_names", data=["a", "b"], dtype=h5py.string_dtype()))
spoil("bias", lambda file: file.attrs.modify("bias", np.inf))
spoil("nan", lambda file: file["w"].__setitem__(1, np.nan))
spoil("huge", lambda file: file["w"].__setitem__(slice(None), 1e308))
spoil("label-names", lambda file: file.create_dataset("label_names", data=["no", "yes", "perhaps"]))
spoil("number-names", lambda file: file.create_dataset("label_names", data=np.zeros(2)))
spoil("history", replace("history/gap", np.zeros(1)))
spoil("history-table", lambda file: replace("history/gap", np.zeros((len(file["history/gap"]), 99999)))(file))
spoil("rounds", replace("rounds/eta", np.zeros(1)))
