#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a C function has no misuse test or no comment, or an alias no test at all.

usage: coverage_test.py ROOT
"""
import pathlib
import re
import sys

ALIASES = "include/iotadnn/compat/oneapi/dnnl"


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def read(paths):
    return "\n".join(without_comments(path.read_text()) for path in sorted(paths))


def words(text):
    return set(re.findall(r"\w+", text))


def functions(root):
    text = read((root / "include/iotadnn").glob("*.h"))
    return set(re.findall(r"IOTADNN_API[^;(]*?\b(iotadnn_\w+)\(", text))


def alias_names(root):
    c_text = read((root / ALIASES).glob("*.h"))
    names = set(re.findall(r"#define\s+(\w+)", c_text))
    names |= set(re.findall(r"\b(dnnl_\w+)\(void\) \{", c_text))
    names |= set(re.findall(r"typedef[^;]*?\b(\w+);", c_text))
    cpp_text = read((root / ALIASES).glob("*.hpp"))
    names |= set(re.findall(r"using\s+iotadnn::(?:\w+::)*(\w+);", cpp_text))
    names |= set(re.findall(r"(?:struct|enum class|inline\s+\w+)\s+(\w+)", cpp_text))
    names |= set(re.findall(r"^\s+(\w+) = dnnl_\w+,", cpp_text, re.M))
    return names


def uncommented(root):
    """Functions whose group (declarations without an empty line between them) has no comment on top.

    A comment belongs to the declarations that follow it without an empty line.
    """
    for path in sorted((root / "include/iotadnn").glob("*.h")):
        for group in re.split(r"\n[ \t]*\n", path.read_text()):
            declared = re.search(r"^IOTADNN_API[^;(]*?\b(iotadnn_\w+)\(", group, re.M)
            if declared and not re.search(r"^//", group[:declared.start()], re.M):
                yield f"{path.name}: {declared[1]}: no comment above it or its group"


def missing(what, names, tested):
    return [f"{name}: {what}" for name in sorted(names - tested)]


def main():
    root = pathlib.Path(sys.argv[1])
    tests = root / "tests/api"
    names, aliases = functions(root), alias_names(root)
    found = missing("no misuse test", names, words(read(tests.glob("misuse_test.cpp"))))
    found += missing("alias without a test", aliases, words(read(tests.glob("compat_*"))))
    found += uncommented(root)
    if len(names) < 70 or len(aliases) < 300:
        found.append(f"{len(names)} functions and {len(aliases)} aliases found; wrong path?")
    print("\n".join(found) if found else f"{len(names)} functions, {len(aliases)} aliases tested")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
