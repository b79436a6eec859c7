#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A table and a picture of attention out of the driver's CSV: the mask made of coordinates beside an
explicit one and none.

    benchdnn --mode=P --graph --compare=onednn --batch=attention/perf_all > perf.csv
    attention_table.py perf.csv [more.csv ...] [--plot attention.svg] [--into attention.md]

Files may hold anything around the lines that start with "perf,"; the columns are those of
benchdnn_inputs/graph/attention/perf_template. Of a case that was measured several times
(--repeats-per-prb) the fastest counts. --into replaces what stands between
"<!-- attention table -->" and "<!-- end -->" in a file. --plot needs matplotlib (Debian:
python3-matplotlib).
"""
import argparse
import collections
import csv
import re
import sys

NEEDED = ("dt", "shapes", "threads", "min_time", "min_onednn", "prb")
BEGIN, END = "<!-- attention table -->", "<!-- end -->"
GRAPHS = ("no-mask", "implicit-causal", "explicit-mask")

Case = collections.namedtuple("Case", "threads type head queries keys")
Figures = collections.namedtuple("Figures", "time onednn")


def read_cases(paths):
    """Case -> {graph: Figures}"""
    cases = collections.defaultdict(dict)
    for path in paths:
        header = None
        with open(path, newline="") as file:
            for fields in csv.reader(file):
                if not fields or fields[0] != "perf":
                    continue
                if set(NEEDED) <= set(fields):
                    header = fields
                    continue
                if header is None:
                    sys.exit(f"{path}: no header with {', '.join(NEEDED)}; use "
                             "--batch=attention/perf_template")
                row = dict(zip(header, fields))
                graph = re.search(r"attention/([\w-]+)\.json", row["prb"])
                shapes = dict(re.findall(r"(\d+):([\dx]+)", re.search(r"--in-shapes=(\S+)", row["prb"])[1]))
                if not graph or float(row["min_time"]) <= 0:
                    continue
                q, k = ([int(e) for e in shapes[i].split("x")] for i in ("0", "1"))
                kind = "bf16" if "bf16" in row["prb"] else "f32"
                case = Case(int(row["threads"]), kind, q[-1], q[-2], k[-2])
                try:
                    onednn = float(row["min_onednn"])
                except ValueError:
                    onednn = 0.0
                figures = Figures(float(row["min_time"]), onednn)
                best = cases[case].setdefault(graph[1], figures)
                if figures.time < best.time:
                    cases[case][graph[1]] = figures
    return cases


def table(cases):
    lines = ["| threads | type | head | S | no mask, ms | of oneDNN 2.6 | implicit causal, ms | of no mask | explicit mask, of no mask |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for case in sorted(cases):
        found = cases[case]
        if case.queries != case.keys or not set(GRAPHS[:2]) <= set(found):
            continue
        none, causal = found["no-mask"], found["implicit-causal"]
        explicit = found.get("explicit-mask")
        lines.append(
            f"| {case.threads} | {case.type} | {case.head} | {case.keys} | {none.time:.2f} | "
            f"{none.onednn:.2f} | {causal.time:.2f} | {causal.time / none.time:.2f} | " +
            (f"{explicit.time / none.time:.2f} |" if explicit else "- |"))
    text = "\n".join(lines).replace(" 0.00 |", " - |")
    decode = [(c, f["bottom-right"]) for c, f in sorted(cases.items()) if "bottom-right" in f]
    if decode:
        text += "\n\n| threads | type | keys | one query, ms | GB/s of keys and values |\n"
        text += "| --- | --- | --- | --- | --- |\n"
        text += "\n".join(
            f"| {c.threads} | {c.type} | {c.keys} | {f.time:.3f} | "
            f"{2 * 32 * c.keys * c.head * (2 if c.type == 'bf16' else 4) / f.time / 1e6:.1f} |"
            for c, f in decode)
    return text


def plot(cases, path):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    matplotlib.rcParams["svg.hashsalt"] = "iotadnn"
    threads = max(case.threads for case in cases)
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for axis, kind in zip(axes, ("f32", "bf16")):
        for graph in reversed(GRAPHS):
            points = sorted((c.keys, f[graph].time / f["no-mask"].time) for c, f in cases.items()
                            if c.threads == threads and c.type == kind and c.head == 128 and
                            c.queries == c.keys and graph in f and "no-mask" in f)
            axis.plot([p[0] for p in points], [p[1] for p in points], marker="o", label=graph)
        axis.set_title(f"{kind}, head 128, {threads} threads")
        axis.set_xscale("log", base=2)
        axis.set_xlabel("S")
        axis.grid(True, alpha=0.3)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("time, of the time without a mask")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def put_into(path, text):
    with open(path) as file:
        document = file.read()
    if BEGIN not in document or END not in document:
        sys.exit(f"{path}: no place between '{BEGIN}' and '{END}'")
    before, rest = document.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    with open(path, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--plot")
    parser.add_argument("--into")
    args = parser.parse_args()
    cases = read_cases(args.files)
    if args.plot:
        plot(cases, args.plot)
    put_into(args.into, table(cases)) if args.into else print(table(cases))


if __name__ == "__main__":
    main()
