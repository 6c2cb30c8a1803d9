"""Tables with missing values for missing_values.sh, and what scikit-learn makes of them."""
import csv, random, sys
import h5py, numpy as np
from scipy.sparse import csr_matrix
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

NAMES = ["id", "age", "city", "pay", "sex", "street", "outcome"]
GAPS = ["", "NA", "?", "null", " NaN "]


def rows(count, seed, test):
    """In training data pay and sex have no gaps."""
    draw = random.Random(seed)
    for k in range(count):
        age, pay, city = round(draw.gauss(40, 10), 2), draw.randrange(5), draw.choice(["Aix", "Köln", "Ulm"])
        row = {"id": f"k{k}", "age": age, "city": city, "pay": pay, "sex": draw.choice("fm"),
               "street": f"way {draw.randrange(40)}", "outcome": "yes" if age + 9 * (city == "Ulm") > 43 else "no"}
        for name, chance in (("age", 0.2), ("city", 0.1), ("outcome", 0.05), ("pay", 0.1 * test), ("sex", 0.1 * test)):
            if draw.random() < chance:
                row[name] = draw.choice(GAPS)
        yield row


def write():
    for name, count, names in (("train", 300, NAMES), ("new", 90, NAMES[::-1])):
        with open(f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, names)
            out.writeheader()
            out.writerows(rows(count, len(name), name == "new"))


def is_gap(text):
    return text.strip() in [gap.strip() for gap in GAPS]


def read(path, rule, labelled):
    with open(path, newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    if labelled:
        table = [row for row in table if not is_gap(row["outcome"])]
    if rule == "drop":
        table = [row for row in table if not any(is_gap(row[name]) for name in ("age", "city", "pay", "sex"))]
    return table


def numbers(table, name):
    return np.array([[np.nan if is_gap(row[name]) else float(row[name])] for row in table])


def hashes(table, count):
    """The 64-bit FNV-1a hash of the street, modulo count, as its definition says."""
    out = np.zeros((len(table), count))
    for k, row in enumerate(table):
        value = 0xcbf29ce484222325
        for byte in row["street"].encode():
            value = (value ^ byte) * 0x100000001b3 % 2**64
        out[k, value % count] = 1
    return out


def encode(train, table, rule, hashed):
    """The columns of X of a table, by imputers and encoders that were fitted to the training data."""
    blocks, names = [], []
    for name in ("age", "city", "pay", "sex"):
        if name in ("age", "pay"):
            gaps = np.isnan(numbers(train, name)).any()
            fill = {"strategy": "constant", "fill_value": 0} if rule == "category" and gaps else \
                   {"strategy": "median" if rule == "median" else "mean"}
            imputer = SimpleImputer(add_indicator=True, **fill).fit(numbers(train, name))
            blocks.append(imputer.transform(numbers(table, name)))
            names += [name] + [f"{name} is missing"] * bool(gaps)
            continue
        known = [[row[name]] for row in train if not is_gap(row[name])]
        encoder = OneHotEncoder(handle_unknown="ignore").fit(known)
        blocks.append(encoder.transform([[row[name]] for row in table]).toarray())
        names += [f"{name}={c}" for c in encoder.categories_[0]]
        if any(is_gap(row[name]) for row in train):
            blocks.append(np.array([[float(is_gap(row[name]))] for row in table]))
            names.append(f"{name} is missing")
    if hashed:
        blocks.append(hashes(table, hashed))
        names += [f"street#{k}" for k in range(hashed)]
    return np.hstack(blocks), names


def check(rule, hashed, data, model, scores):
    """X of DATA, and the scores of MODEL for new.csv. Prints the line that predict has to print."""
    hashed = int(hashed)
    train, new = read("train.csv", rule, True), read("new.csv", rule, False)
    with h5py.File(data) as file:
        x = csr_matrix((file["X/data"][:], file["X/indices"][:], file["X/indptr"][:]), file["X"].attrs["shape"]).toarray()
        found = list(file["var/_index"].asstr()[:])
        y = file["y"][:]
    wanted, names = encode(train, train, rule, hashed)
    assert found == names, (found, names)
    assert x.shape == wanted.shape and np.allclose(x, wanted, rtol=1e-12, atol=1e-12), abs(x - wanted).max()
    assert list(y) == [1 if row["outcome"] == "yes" else -1 for row in train]
    with h5py.File(model) as file:
        w, bias = file["w"][:], file.attrs["bias"]
    with open(scores, newline="", encoding="utf-8") as file:
        out = list(csv.DictReader(file))
    assert [row["id"] for row in out] == [row["id"] for row in new]
    wanted = encode(train, new, rule, hashed)[0] @ w + bias
    assert np.allclose([float(row["score"]) for row in out], wanted, rtol=1e-9, atol=1e-9)
    labelled = [k for k, row in enumerate(new) if not is_gap(row["outcome"])]
    wrong = sum((wanted[k] > 0) != (new[k]["outcome"] == "yes") for k in labelled)
    print(f"Error: {wrong / len(labelled):.6g} (weight {wrong} of {len(labelled)}, {len(new)} rows)")


def labelled():
    with open("labelled.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, NAMES[::-1])
        out.writeheader()
        out.writerows(row for row in read("new.csv", "mean", True))


def same(first, second):
    """Data files may store rows dense, which sums the products in another order."""
    a, b = ([(row["prediction"], float(row["score"])) for row in csv.DictReader(open(path))] for path in (first, second))
    assert [x[0] for x in a] == [x[0] for x in b] and np.allclose([x[1] for x in a], [x[1] for x in b], rtol=1e-12, atol=1e-12)


def damage():
    """Schemas that are wrong, each in its own way."""
    import shutil
    for name in ("kind", "rule", "fill", "length", "twice"):
        shutil.copy("mean.h5", f"bad-{name}.h5")
        with h5py.File(f"bad-{name}.h5", "r+") as file:
            if name == "kind":
                file["var/kind"][1] = "colour"
            elif name == "rule":
                file["table"].attrs["missing"] = "guess"
            elif name == "fill":
                file["var/fill"][0] = np.inf
            elif name == "twice":
                file["var/kind"][0] = "missing"
            else:
                fill = file["var/fill"][:-1]
                del file["var/fill"]
                file["var/fill"] = fill


if __name__ == "__main__":
    {"write": write, "check": check, "labelled": labelled, "same": same, "damage": damage}[sys.argv[1]](*sys.argv[2:])
