#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an #include goes against the layer order or a source file outgrows its budget.

usage: check_layers.py ROOT, where ROOT has src/, include/ and tests/. The layers are those of
doc/architecture.md. tests/lint/lint_test.py shows on toy trees what is found.
"""
import pathlib
import re
import sys

LAYERS = {  # layer -> the layers it may include (itself is always allowed)
    "base": "",
    "program": "base",
    "graph": "base",
    "ops": "base program graph",
    "interp": "base graph ops",
    "partition": "base graph ops",
    "lower": "base program graph ops partition",
    "codegen": "base program",
    "primitives": "base",
    "runtime": "base program graph ops interp partition lower codegen primitives",
    "api": "base graph ops partition runtime",
    "frontends": "",  # the public headers only
    "tools": "frontends",  # and the public headers
}
PUBLIC = "iotadnn"  # "iotadnn/graph.h": the installed headers
MAY_SEE_PUBLIC = {"api", "frontends", "tools"}
MAX_LINES = 500
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".inc"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def sources(root, folder):
    return [p for p in sorted((root / folder).rglob("*")) if p.suffix in SUFFIXES]


def layer_problems(name, text):
    layer = name.split("/")[1]
    if layer not in LAYERS:
        yield f"{name}: unknown layer '{layer}'; add it to LAYERS"
        return
    allowed = {layer, *LAYERS[layer].split()}
    if layer in MAY_SEE_PUBLIC:
        allowed.add(PUBLIC)
    for bracket, path in INCLUDE.findall(text):
        target = path.split("/")[0]
        if target == "xbyak":
            if layer != "codegen":
                yield f"{name}: only codegen/ may include xbyak"
        elif target in ("dnnl.h", "dnnl.hpp"):
            if layer != "primitives":
                yield f"{name}: only primitives/ may include {target}"
        elif target in LAYERS or target == PUBLIC:
            if target not in allowed:
                yield f"{name}: layer '{layer}' must not include '{path}'"
        elif bracket == '"':
            yield f"{name}: '{path}' is not of the form \"layer/file.h\""


def public_problems(name, text):
    for bracket, path in INCLUDE.findall(text):
        if path.split("/")[0] in LAYERS or (bracket == '"' and not path.startswith(
                (PUBLIC + "/", "oneapi/"))):
            yield f"{name}: an installed header must not include '{path}'"


def budget_problems(name, text):
    lines = text.count("\n")
    if lines > MAX_LINES:
        yield f"{name}: {lines} lines, the budget is {MAX_LINES}"


def problems(root):
    if not sources(root, "src"):
        yield f"{root}: no sources found; wrong path?"
    checks = {
        "src": [layer_problems, budget_problems],
        "include": [public_problems, budget_problems],
        "tests": [budget_problems],
    }
    for folder, folder_checks in checks.items():
        for path in sources(root, folder):
            name, text = path.relative_to(root).as_posix(), path.read_text()
            for check in folder_checks:
                yield from check(name, text)


def main():
    found = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
