#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plots the driver's CSV: percent of the limit against bytes written, a line per op and ISA.

    benchdnn --mode=P --graph --batch=perf_all > perf.csv     (--isa=, --threads= in front as wanted)
    plot_perf.py perf.csv [more.csv ...] -o limit.svg

Files may hold anything around the lines that start with "perf,"; the columns are those of
benchdnn_inputs/graph/perf_template. Needs matplotlib (Debian: python3-matplotlib).
"""
import argparse
import collections

from perf_csv import nothing_measured, perf_rows

NEEDED = ("alg", "impl", "obytes", "threads", "dt", "shapes", "min_limit")


def collect(paths):
    """(op, implementation, threads) -> {bytes: [percent]}"""
    lines = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in perf_rows(paths, NEEDED, "perf_template", measured=("obytes", "min_limit")):
        key = (row["alg"], row["impl"], int(row["threads"]))
        lines[key][float(row["obytes"])].append(float(row["min_limit"]))
    if not lines:
        nothing_measured(paths)
    return lines


def size_text(value, _position=None):
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if value >= factor:
            return f"{value / factor:g} {unit}"
    return f"{value:g} B"


def draw(lines, output, title):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.ticker import FuncFormatter

    colours = {op: f"C{i}" for i, op in enumerate(sorted({key[0] for key in lines}))}
    styles = {impl: style for impl, style in zip(sorted({key[1] for key in lines}),
                                                 ("-", "--", "-.", ":") * 4)}
    threads = sorted({key[2] for key in lines})
    figure, panels = plt.subplots(len(threads), 1, figsize=(9, 4.5 * len(threads)), squeeze=False,
                                  sharex=True)
    for panel, count in zip(panels[:, 0], threads):
        for (op, impl, used), points in sorted(lines.items()):
            if used != count:
                continue
            sizes = sorted(points)
            # Several shapes or types of one size: the line is their median, the dots are all of them.
            medians = [sorted(points[size])[len(points[size]) // 2] for size in sizes]
            panel.plot(sizes, medians, styles[impl], color=colours[op], label=f"{op}, {impl}")
            panel.plot([size for size in sizes for _ in points[size]],
                       [percent for size in sizes for percent in points[size]], ".",
                       color=colours[op], alpha=0.5)
        panel.axhline(100, color="grey", linewidth=0.8)
        panel.set_xscale("log", base=2)
        panel.xaxis.set_major_formatter(FuncFormatter(size_text))
        panel.set_ylim(0, None)
        panel.set_ylabel("percent of the limit")
        panel.set_title(f"{title}{count} thread{'s' if count > 1 else ''}")
        panel.grid(alpha=0.3)
        panel.legend(fontsize="small")
    panels[-1, 0].set_xlabel("bytes written")
    figure.tight_layout()
    figure.savefig(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="+", help="the driver's output")
    parser.add_argument("-o", "--output", default="limit.svg", help="picture to write (svg, png, pdf)")
    parser.add_argument("--title", default="", help="stands before the number of threads")
    arguments = parser.parse_args()
    draw(collect(arguments.csv), arguments.output, arguments.title)


if __name__ == "__main__":
    main()
