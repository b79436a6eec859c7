#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each header alone, twice in one file: it must include what it uses, and guard itself.

Left out, for time: headers that guard themselves by #pragma once and that the source file of the same
name includes first, which its own compilation checks.

usage: headers_alone.py ROOT CXX CC FLAG..., where the flags are the include paths and definitions.
Headers below include/ that end in .h are C99 headers: the C compiler reads them too.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-x"]


def compile_alone(job):
    compiler, language, header, flags = job
    source = f'#include "{header}"\n#include "{header}"\n'
    result = subprocess.run([compiler, *language[1:], *flags, *STRICT, language[0], "-"],
                            input=source, text=True, capture_output=True, check=False)
    return None if result.returncode == 0 else f"{header} as {language[0]}:\n{result.stderr}"


def is_checked_by_its_source(path):
    source = path.with_suffix(".cpp")
    if not source.exists() or "#pragma once" not in path.read_text():
        return False
    first = re.search(r'^#include\s+"([^"]+)"', source.read_text(), re.M)
    return bool(first) and pathlib.PurePath(first[1]).name == path.name


def jobs(root, cxx, cc, flags):
    for folder in ("src", "include", "tests/support"):
        base = root / "tests" if folder.startswith("tests") else root / folder
        for path in sorted((root / folder).rglob("*.h*")):
            if path.suffix not in (".h", ".hpp"):
                continue
            if folder == "src" and is_checked_by_its_source(path):
                continue
            header = path.relative_to(base).as_posix()
            yield cxx, ("c++", "-std=c++17"), header, flags
            if folder == "include" and path.suffix == ".h" and "compat/" not in header:
                yield cc, ("c", "-std=c99"), header, flags


def main():
    root, cxx, cc, flags = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
    work = list(jobs(root, cxx, cc, flags))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [problem for problem in pool.map(compile_alone, work) if problem]
    print("\n".join(found) if found else f"{len(work)} compilations, each header stands alone")
    return bool(found) or not work


if __name__ == "__main__":
    sys.exit(main())
