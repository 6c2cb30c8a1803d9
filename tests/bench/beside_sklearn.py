#!/usr/bin/env python3
"""Six tasks by sdca's commands and by scikit-learn's code, as people write them: how many
lines each takes, and how good the predictions for other rows are.

Usage: beside_sklearn.py SDCA [TASK...] - the numbers of some tasks, from 1 on

Prints a Markdown table. Both sides write a CSV file of predictions, and the same code
judges both. Needs scikit-learn, pandas and anndata. Digits, breast cancer and diabetes
are the sets that scikit-learn has; the others are synthetic, and depend on a seed.
"""
import os
import subprocess
import sys
import tempfile
import textwrap

import anndata
import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn import datasets, metrics
from sklearn.model_selection import train_test_split


def customers(seed, rows, offset):
    """A table with gaps and categories; fewer of the label yes with a greater offset."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({
        "id": np.arange(rows), "age": rng.integers(18, 90, rows).astype(float), "income": np.exp(rng.normal(10, 0.7, rows)).round(),
        "plan": rng.choice(["free", "basic", "pro"], rows), "country": rng.choice(["DE", "FR", "IT", "ES", "PL"], rows),
        "calls": rng.poisson(1.5, rows)})
    score = 0.6 * table.calls - 0.03 * table.age + (table.plan == "free") - (table.country == "DE") + 0.5 * np.log(table.income / 2e4)
    table["left"] = np.where(rng.random(rows) < 1 / (1 + np.exp(offset - score)), "yes", "no")
    for name, share in (("age", 0.1), ("income", 0.1), ("country", 0.05)):
        table.loc[rng.random(rows) < share, name] = None
    return table


def write_customers(offset):
    customers(1, 6000, offset).to_csv("train.csv", index=False)
    customers(2, 3000, offset).to_csv("test.csv", index=False)


def write_set(data, label):
    """One of scikit-learn's sets as tables."""
    frame = pd.DataFrame(data.data, columns=getattr(data, "feature_names", None)).rename(columns=str)
    frame[label] = data.target_names[data.target] if hasattr(data, "target_names") and len(data.target_names) == 2 else data.target
    train, test = train_test_split(frame, test_size=0.4, random_state=1)
    train.to_csv("train.csv", index=False)
    test.to_csv("test.csv", index=False)


def write_cells():
    """Cells of eight donors; the last two are the test, with their genes in another order."""
    rng = np.random.default_rng(3)
    cells, genes = 3000, 400
    kind, donor = rng.choice(5, cells, p=[0.4, 0.25, 0.2, 0.1, 0.05]), rng.integers(0, 8, cells)
    markers = np.exp(rng.normal(0, 1, (5, genes)) * (rng.random((5, genes)) < 0.1))
    counts = rng.poisson(0.3 * markers[kind] * np.exp(rng.normal(0, 0.6, (8, genes)))[donor] * rng.lognormal(0, 0.4, (cells, 1)))
    obs = pd.DataFrame({"cell_type": pd.Categorical.from_codes(np.where(rng.random(cells) < 0.05, -1, kind), ["B", "NK", "T", "DC", "Mono"]),
                        "donor": pd.Categorical([f"d{k}" for k in donor])}, index=[f"cell{k}" for k in range(cells)])
    data = anndata.AnnData(sp.csr_matrix(counts.astype(np.float32)), obs=obs, var=pd.DataFrame(index=[f"gene{k}" for k in range(genes)]))
    data.layers["lognorm"] = sp.csr_matrix(np.log1p(200 * counts / counts.sum(axis=1, keepdims=True)).astype(np.float32))
    data[donor < 6].copy().write_h5ad("train.h5ad")
    data[donor >= 6, rng.permutation(genes)].copy().write_h5ad("test.h5ad")


TABLE = """
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    train, test = pd.read_csv("train.csv"), pd.read_csv("test.csv")
    numbers, words = ["age", "income", "calls"], ["plan", "country"]
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(add_indicator=True), StandardScaler()), numbers),
        (OneHotEncoder(handle_unknown="ignore"), words))
    model = make_pipeline(columns, LogisticRegression({options}))
    model.fit(train, train["left"])
    out = pd.DataFrame({"prediction": model.predict(test), "probability_yes": model.predict_proba(test)[:, 1]})
    out.to_csv("theirs.csv")
"""
SET = """
    import pandas as pd
    {imports}
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    train, test = pd.read_csv("train.csv"), pd.read_csv("test.csv")
    model = make_pipeline(StandardScaler(), {model})
    model.fit(train.drop(columns="{label}"), train["{label}"])
    out = pd.DataFrame({"prediction": model.predict(test.drop(columns="{label}"))})
    {more}
    out.to_csv("theirs.csv")
"""
CELLS = """
    import anndata
    import pandas as pd
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, GroupKFold
    train, test = anndata.read_h5ad("train.h5ad"), anndata.read_h5ad("test.h5ad")
    train = train[train.obs["cell_type"].notna()]
    test = test[:, train.var_names]
    search = GridSearchCV(LogisticRegression(max_iter=1000), {"C": [0.01, 0.1, 1, 10]}, cv=GroupKFold(6))
    search.fit(train.layers["lognorm"], train.obs["cell_type"].astype(str), groups=train.obs["donor"])
    pd.DataFrame({"prediction": search.predict(test.layers["lognorm"])}, test.obs_names).to_csv("theirs.csv")
"""


def fill(template, **values):
    """A template whose braces may also be code; empty lines are left out."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return [line for line in textwrap.dedent(template).splitlines() if line.strip()]


SCALED = "--standardize full --intercept"
TASKS = [
    ("CSV with gaps and categories", lambda: write_customers(1.5), "left", ["error", "AUC"],
     ["convert train.csv train.h5 --label left --missing mean --drop id",
      f"train train.h5 -o model.h5 --loss logistic --C 1 {SCALED}",
      "predict model.h5 test.csv -o ours.csv"],
     fill(TABLE, options="")),
    ("unscaled columns (breast cancer)", lambda: write_set(datasets.load_breast_cancer(), "kind"), "kind", ["error", "AUC"],
     ["convert train.csv train.h5 --label kind",
      f"train train.h5 -o model.h5 --loss logistic --C 1 {SCALED}",
      "predict model.h5 test.csv -o ours.csv"],
     fill(SET, imports="from sklearn.linear_model import LogisticRegression", model="LogisticRegression()", label="kind",
          more='out["probability_malignant"] = model.predict_proba(test.drop(columns="kind"))[:, 1]')),
    ("imbalanced, with gaps (3 % yes)", lambda: write_customers(3.6), "left", ["balanced error", "AUC"],
     ["convert train.csv train.h5 --label left --missing mean --drop id",
      f"train train.h5 -o model.h5 --loss logistic --C 1 {SCALED} --class-weight balanced",
      "predict model.h5 test.csv -o ours.csv"],
     fill(TABLE, options='class_weight="balanced"')),
    ("regression with a mean (diabetes)", lambda: write_set(datasets.load_diabetes(scaled=False), "progression"), "progression", ["RMSE", "R2"],
     ["convert train.csv train.h5 --label progression --task regression",
      f"train train.h5 -o model.h5 --loss squared --C 0.5 {SCALED}",
      "predict model.h5 test.csv -o ours.csv"],
     fill(SET, imports="from sklearn.linear_model import Ridge", model="Ridge()", label="progression", more="")),
    ("digits, 10 classes", lambda: write_set(datasets.load_digits(), "digit"), "digit", ["error", "balanced error"],
     ["convert train.csv train.h5 --label digit",
      f"train train.h5 -o model.h5 --loss logistic --C 1 {SCALED}",
      "predict model.h5 test.csv -o ours.csv"],
     fill(SET, imports="from sklearn.linear_model import LogisticRegression", model="LogisticRegression(max_iter=1000)", label="digit", more="")),
    ("cells: layer, donors, C chosen", write_cells, "cell_type", ["error", "balanced error"],
     ["train train.h5ad --label cell_type --x layers/lognorm -o model.h5 --loss logistic --intercept "
      "--lambda 1e-1:1e-4:4 --folds 6 --fold-groups donor",
      "predict model.h5 test.h5ad -o ours.csv"],
     fill(CELLS)),
]


def truth(label):
    if os.path.exists("test.h5ad"):
        return anndata.read_h5ad("test.h5ad").obs[label].astype(object)
    return pd.read_csv("test.csv")[label]


def judge(path, label, names):
    """The metrics of a file of predictions, over the rows with a label."""
    found, y = pd.read_csv(path), truth(label).reset_index(drop=True)
    known = y.notna()
    found, y = found[known.to_numpy()], y[known]
    prediction = found["prediction"].to_numpy()
    value = {
        "error": lambda: np.mean(prediction != y.to_numpy()),
        "balanced error": lambda: 1 - metrics.balanced_accuracy_score(y.astype(str), prediction.astype(str)),
        "AUC": lambda: metrics.roc_auc_score(y == sorted(set(y))[1], found.filter(like="probability").iloc[:, 0]),
        "RMSE": lambda: metrics.mean_squared_error(y, prediction) ** 0.5,
        "R2": lambda: metrics.r2_score(y, prediction),
    }
    return {name: value[name]() for name in names}


def run(sdca, task):
    """A row of the table."""
    name, write, label, names, commands, code = task
    write()
    for command in commands:
        subprocess.run([sdca, *command.split(), "--quiet"], check=True)
    subprocess.run([sys.executable, "-W", "ignore", "-c", "\n".join(code)], check=True)
    ours, theirs = judge("ours.csv", label, names), judge("theirs.csv", label, names)
    both = "; ".join(f"{n} {ours[n]:.4g}" for n in names), "; ".join(f"{n} {theirs[n]:.4g}" for n in names)
    return f"| {name} | {len(commands)} | {len(code)} | {both[0]} | {both[1]} |"


def main():
    sdca = os.path.abspath(sys.argv[1])
    chosen = [int(word) for word in sys.argv[2:]] or range(1, len(TASKS) + 1)
    print("| task | sdca: commands | scikit-learn: lines | sdca, test rows | scikit-learn, test rows |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        for number in chosen:
            folder = os.path.join(scratch, f"task{number}")
            os.makedirs(folder)
            os.chdir(folder)
            print(run(sdca, TASKS[number - 1]), flush=True)
        os.chdir("/")


if __name__ == "__main__":
    main()
