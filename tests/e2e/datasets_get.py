"""datasets_get.py - helpers of datasets_get.sh: a faulty web server, synthetic apt
lists, and reference values of their tf-idf.

    datasets_get.py serve DIRECTORY PORT-FILE LOG     until it is killed
    datasets_get.py rows N                            LIBSVM text, the same each time
    datasets_get.py lists DIRECTORY                   lists of packages
    datasets_get.py check DIRECTORY LISTS             debian's files against scikit-learn
"""
import functools
import gzip
import hashlib
import http.server
import os
import random
import re
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    """/NAME is served plainly; /short/NAME announces the full length and sends half;
    /range/NAME supports ranges."""

    def do_GET(self):
        how, _, name = self.path.lstrip("/").rpartition("/")
        self.log.write(f"{self.path} {self.headers.get('Range', '-')}\n")
        self.log.flush()
        if how not in ("short", "range"):
            return super().do_GET()
        with open(os.path.join(self.directory, name), "rb") as file:
            data = file.read()
        first = 0
        if how == "range" and "Range" in self.headers:
            first = int(re.match(r"bytes=(\d+)-$", self.headers["Range"])[1])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(data) - first))
        self.end_headers()
        self.wfile.write(data[first:len(data) // 2 if how == "short" else None])
        self.close_connection = True

    def log_message(self, *_):
        pass


def serve(directory, port_file, log):
    Handler.log = open(log, "a")
    handler = functools.partial(Handler, directory=directory)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with open(port_file + ".tmp", "w") as file:
        file.write(str(server.server_address[1]))
    os.replace(port_file + ".tmp", port_file)
    server.serve_forever()


def rows(n):
    draw = random.Random(1)
    for row in range(int(n)):
        columns = sorted(draw.sample(range(1, 31), 5) if row else [1, 7, 30])
        print(1 + row % 3, *(f"{column}:{draw.randint(1, 99) / 100}" for column in columns))


def lists(directory):
    """Sixty packages in two lists, some twice. The first ten have a long description in
    a third list, which takes precedence. Each package has a word
    of its own, except one without words."""
    draw = random.Random(2)
    words = [a + b for a in ("lib", "run", "tool", "doc") for b in "abcdefghij"]
    packages, long = [], []
    for number in range(60):
        section = "libs" if number % 4 == 0 else "universe/python" if number % 4 == 1 else "doc"
        text = "The " + " ".join(draw.choices(words, k=8)) + (" Libs, x C++" if number % 2 else "")
        text = f"{text} only{words[number % 40]}{words[number // 40]}" if number != 21 else "C++ 12"
        md5 = hashlib.md5(text.encode()).hexdigest()
        record = (f"Package: p{number}\nSource: s{number // 2} (1.0)\nSection: {section}\n"
                  f"Description: {text}\nDescription-md5: {md5}\nTag: role::program,\n works::x\n")
        packages.append(record)
        if number < 10:
            more = " ".join(draw.choices(words, k=12))
            long.append(f"Package: p{number}\nDescription-md5: {md5}\n"
                        f"Description-en: {text}\n {more}\n .\n twice {more}\n")
    os.makedirs(directory)
    with open(os.path.join(directory, "a_main_Packages"), "w") as file:
        file.write("\n".join(packages[:40]))
    with gzip.open(os.path.join(directory, "b_main_Packages.gz"), "wt") as file:
        file.write("\n".join(packages[30:] + [packages[30].replace("The", "liba libb")]))
    with open(os.path.join(directory, "a_main_i18n_Translation-en"), "w") as file:
        file.write("\n".join(long))


def check(directory, from_lists):
    import numpy
    from sklearn.datasets import load_svmlight_file
    from sklearn.feature_extraction.text import CountVectorizer

    def read(name, opened=open):
        with opened(os.path.join(from_lists, name), "rt") as file:
            return file.read().split("\n\n")

    long = {re.search("md5: (.*)", record)[1]: record.partition("-en: ")[2]
            for record in read("a_main_i18n_Translation-en")}
    packages = {}
    for record in read("a_main_Packages") + read("b_main_Packages.gz", gzip.open):
        name, source, section, text, md5 = re.match(
            r"Package: (\w+)\nSource: (\w+) .*\nSection: (?:universe/)?(\w+)\n"
            r"Description: (.*)\nDescription-md5: (.*)\n", record).groups()
        packages.setdefault(name, (source, section, long.get(md5, text)))
    assert len(packages) == 60 and len(long) == 10

    def side(test):
        chosen = [packages[name] for name in sorted(packages)
                  if (int(hashlib.sha256(packages[name][0].encode()).hexdigest()[:16], 16)
                      % 5 == 0) == test]
        return [text for *_, text in chosen], [1 if s == "libs" else -1 for _, s, _ in chosen]

    counter = CountVectorizer(token_pattern="[a-z]{2,}", stop_words=["libs"], min_df=2)
    counts = {False: counter.fit_transform(side(False)[0]).toarray()}
    counts[True] = counter.transform(side(True)[0]).toarray()
    some = {test: counts[test].any(axis=1) for test in counts}
    assert sum(n.sum() for n in some.values()) == 59, "a row without words is part of this test"
    having = (counts[False] > 0).sum(axis=0)
    kept = having < len(counts[False])
    assert not kept.all(), "a word of every row is part of this test"
    for test, name in (False, "train"), (True, "test"):
        n = counts[test][some[test]][:, kept]
        value = numpy.where(n > 0, 1 + numpy.log(numpy.maximum(n, 1)), 0)
        value = value * numpy.log(len(counts[False]) / having[kept])
        value /= numpy.linalg.norm(value, axis=1)[:, None]
        X, y = load_svmlight_file(os.path.join(directory, f"debian.{name}.txt"),
                                  n_features=kept.sum())
        assert abs(numpy.linalg.norm(X.toarray(), axis=1) - 1).max() < 1e-7, name
        assert abs(X.toarray() - value).max() < 1e-7, name
        assert (y == numpy.array(side(test)[1])[some[test]]).all(), name


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
