"""Tables and LIBSVM text for predict_tables.sh, and what scikit-learn makes of them."""
import csv, random, sys
import h5py, numpy as np
from sklearn.preprocessing import OneHotEncoder

CITIES = ["Aix", "Köln, Süd", "Ulm", "NA 3"]


def rows(count, seed, cities):
    draw = random.Random(seed)
    for k in range(count):
        age, pay, city = round(draw.gauss(0, 1), 3), draw.randrange(5), draw.choice(cities)
        kind = "abc"[(age > 0) + (city == "Ulm")]
        yield {"id": f"k {k}", "age": age, "city": city, "pay": pay, "w": draw.randrange(1, 4),
               "outcome": "yes" if age + (city == "Ulm") > 0.3 else "no", "kind": kind, "y": 2 * age + 10}


def write():
    sets = {"train": list(rows(300, 1, CITIES)), "test": list(rows(120, 2, CITIES + ["Mars", "Rom"]))}
    for name, names in (("train", ["id", "age", "city", "pay", "w", "outcome", "kind", "y"]),
                        ("test", ["note", "y", "kind", "outcome", "pay", "w", "city", "id", "age"])):
        with open(f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, names, restval="x")
            out.writeheader()
            out.writerows(sets[name])
    # The test set as convert --like takes it: no unknown categories.
    known = [row for row in sets["test"] if row["city"] in CITIES]
    for name, some in (("known", known), ("more", known[:1] * 3)):
        with open(f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, list(known[0]))
            out.writeheader()
            out.writerows(some)
    with open("label-last.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, ["id", "age", "city", "pay", "outcome"], extrasaction="ignore")
        out.writeheader()
        out.writerows(known)
    with open("unlabelled.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, ["city", "pay", "age"], extrasaction="ignore")
        out.writeheader()
        out.writerows(known)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def check(model_path, out_path):
    """The scores of OUT are those of w on scikit-learn's encoding of test.csv, in which unknown categories are ignored."""
    train, test, out = read("train.csv"), read("test.csv"), read(out_path)
    encoder = OneHotEncoder(handle_unknown="ignore").fit([[row["city"]] for row in train])
    one_hot = encoder.transform([[row["city"]] for row in test]).toarray()
    number = {name: np.array([[float(row[name])] for row in test]) for name in ("age", "pay")}
    names = ["age"] + ["city=" + c for c in encoder.categories_[0]] + ["pay"]
    x = np.hstack([number["age"], one_hot, number["pay"]]).astype(np.float32).astype(float)
    with h5py.File(model_path) as model:
        assert list(model["column_names"].asstr()[:]) == names, names
        w, bias = model["w"][:], model.attrs["bias"]
    scores = np.array([float(row["score"]) for row in out])
    assert np.allclose(scores, x @ w + bias, rtol=1e-12, atol=1e-12), abs(scores - x @ w - bias).max()
    assert [row["id"] for row in out] == [row["id"] for row in test]
    assert [row["city"] for row in out] == [row["city"] for row in test]
    unknown = sum(row["city"] not in CITIES for row in test)
    assert unknown > 0
    print(unknown)


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](*sys.argv[2:])
