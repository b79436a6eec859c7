#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What check_layers.py and check_docs.py find, and what they accept, on toy trees."""
import pathlib
import tempfile
import unittest

import check_docs
import check_layers

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
GOOD_TREE = {
    "CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\n",
    "build.sh": "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n",
    ".ci/run": "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n",
    "src/base/env.cpp": SPDX + '#include "base/env.h"\nreturn "IOTADNN_VERBOSE";\n',
    "src/base/env.h": SPDX + "#include <string>\n",
    "src/codegen/emit.cpp": SPDX + '#include <xbyak/xbyak.h>\n#include "base/env.h"\n',
    "src/api/api.cpp": SPDX + '#include "iotadnn/graph.h"\n#include "runtime/run.h"\n',
    "include/iotadnn/graph.h": SPDX + '#include "iotadnn/types.h"\n',
    "tests/install/example.cpp": SPDX + "int main() {}\n",
    "doc/environment.md": "`IOTADNN_VERBOSE` is read in `src/base/env.cpp`, see "
                          "[the map](../README.md#layout) and `src/<layer>/x.cpp`.\n",
    "README.md": "Text with `a/b` and `src/base/*.h`.\n```cpp\nint main() {}\n```\n",
}


class LintTest(unittest.TestCase):
    def problems(self, check, changes):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**GOOD_TREE, **changes}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(check.problems(root))

    def expect(self, check, changes, *fragments):
        found = self.problems(check, changes)
        self.assertEqual(len(found), len(fragments), found)
        for problem, fragment in zip(found, fragments):
            self.assertIn(fragment, problem)


class CheckLayers(LintTest):
    def test_accepts_the_good_tree(self):
        self.expect(check_layers, {})

    def test_refuses_an_upward_include(self):
        self.expect(check_layers, {"src/base/env.cpp": '#include "graph/graph.h"\n'},
                    "layer 'base' must not include 'graph/graph.h'")

    def test_refuses_an_upward_include_in_angle_brackets(self):
        self.expect(check_layers, {"src/codegen/emit.cpp": "#  include <graph/graph.h>\n"},
                    "layer 'codegen' must not include")

    def test_refuses_xbyak_outside_codegen(self):
        self.expect(check_layers, {"src/base/env.cpp": "#include <xbyak/xbyak.h>\n"},
                    "only codegen/ may include xbyak")

    def test_refuses_onednn_outside_primitives(self):
        self.expect(check_layers, {"src/base/env.cpp": "#include <dnnl.hpp>\n"},
                    "only primitives/ may include dnnl.hpp")

    def test_refuses_private_headers_in_frontends(self):
        self.expect(check_layers, {"src/frontends/json.cpp": '#include "base/env.h"\n'},
                    "layer 'frontends' must not include")

    def test_refuses_private_headers_in_tools(self):
        self.expect(check_layers, {"src/tools/main.cpp": '#include "frontends/names.h"\n'
                                                         '#include "graph/graph.h"\n'},
                    "layer 'tools' must not include 'graph/graph.h'")

    def test_refuses_public_headers_below_api(self):
        self.expect(check_layers, {"src/graph/graph.cpp": '#include "iotadnn/graph.h"\n'},
                    "layer 'graph' must not include")

    def test_refuses_private_headers_in_installed_ones(self):
        self.expect(check_layers, {"include/iotadnn/graph.h": '#include "base/env.h"\n'},
                    "an installed header must not include 'base/env.h'")

    def test_refuses_a_path_without_its_layer(self):
        self.expect(check_layers, {"src/base/env.cpp": '#include "env.h"\n'}, "is not of the form")

    def test_refuses_an_unknown_layer(self):
        self.expect(check_layers, {"src/misc/x.h": ""}, "unknown layer 'misc'")

    def test_refuses_a_long_file(self):
        self.expect(check_layers, {"src/base/env.h": "\n" * 501}, "501 lines, the budget is 500")
        self.expect(check_layers, {"tests/base/env_test.cpp": "\n" * 501}, "501 lines")
        self.expect(check_layers, {"src/base/env.h": "\n" * 500})

    def test_refuses_a_wrong_root(self):
        with tempfile.TemporaryDirectory() as folder:
            found = list(check_layers.problems(pathlib.Path(folder)))
        self.assertIn("no sources found", found[0])


class CheckDocs(LintTest):
    def test_accepts_the_good_tree(self):
        self.expect(check_docs, {})

    def test_finds_a_dead_path(self):
        self.expect(check_docs, {"doc/x.md": "see `src/base/gone.h`"}, "src/base/gone.h")
        self.expect(check_docs, {"doc/x.md": "see `src/base/*.xyz`"}, "src/base/*.xyz")

    def test_finds_a_dead_link(self):
        self.expect(check_docs, {"doc/x.md": "see [it](gone.md)"}, "gone.md is dead")

    def test_finds_a_changed_example(self):
        self.expect(check_docs, {"tests/install/example.cpp": SPDX + "int main() { }\n"},
                    "no cpp block is equal")

    def test_finds_a_long_example(self):
        code = "int main() {\n" + "  f();\n" * 18 + "\n}\n"
        tree = lambda text: {"README.md": f"```cpp\n{text}```\n",
                             "tests/install/example.cpp": SPDX + text}
        self.expect(check_docs, tree(code))
        self.expect(check_docs, tree("#include <x>\n" + code), "21 lines")

    def test_finds_a_missing_licence(self):
        self.expect(check_docs, {"src/base/x.h": "#pragma once\n"}, "src/base/x.h: the first line")
        self.expect(check_docs, {"build.sh": "#!/bin/sh\n"}, "build.sh: the first line")
        self.expect(check_docs, {"src/cmake/x.pc.in": "Name: x\n"}, "src/cmake/x.pc.in: the first")

    def test_finds_an_unwritten_variable(self):
        self.expect(check_docs, {"doc/environment.md": "`IOTADNN_VERBOSE_TIMESTAMP`"},
                    "IOTADNN_VERBOSE is missing")
        self.expect(check_docs, {"tests/x_test.cpp": SPDX + 'getenv("IOTADNN_SEED")'},
                    "IOTADNN_SEED is missing")
        self.expect(check_docs, {"build.sh": "# " + SPDX + '"${IOTADNN_QUIET:-0}"'},
                    "IOTADNN_QUIET is missing")


if __name__ == "__main__":
    unittest.main()
