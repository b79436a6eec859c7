#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One command to set up, build and run iotadnn on Debian 12 or newer. See usage() below.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root"

# What the build and the tests use, as Debian names it.
packages=(
  g++ cmake ninja-build pkg-config     # compiler and build; pkg-config: the install test
  libxbyak-dev                         # the JIT's assembler (headers)
  nlohmann-json3-dev                   # reader of graph files, in the driver
  libonnx-dev libprotobuf-dev          # reader of ONNX models
  libpugixml-dev                       # reader of OpenVINO models
  libcli11-dev                         # the iotadnn command
  libdnnl-dev                          # oneDNN's primitives: MatMul and SoftMax on their own
  libgtest-dev libgmock-dev            # tests
  binutils                             # objdump, for iotadnn inspect --asm
  python3                              # the checks of tests/lint
)
test_packages=(
  chromium                             # opens the pages of iotadnn inspect --html
)
jobs=$(nproc)

usage() {
  cat <<'TEXT'
usage: ./build.sh COMMAND

  run     install what is missing, build Release, measure the three ops and fused patterns: the
          driver's perf lines on standard output, then tables of them
  test    install what is missing, build Release, run the whole test suite; then build with
          AddressSanitizer and UndefinedBehaviorSanitizer and run the quick tests
  build   install what is missing, build Release (programs in build/release/bin)
  clean   remove the build folder
  help    this text

Missing Debian packages are installed with apt-get, as root or through sudo. Set
IOTADNN_NO_INSTALL=1 to have them named instead.
TEXT
}

note() { printf '%s\n' "build.sh: $*" >&2; }
die() { note "$@"; exit 1; }

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The words that apt-get has to be run with; stops with a sentence where we may not install.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    echo env
  elif ! command -v sudo >/dev/null; then
    die "these packages are missing: $* -- installing them needs root, and there is no sudo here"
  elif [ -t 0 ]; then
    echo sudo env
  elif sudo -n true 2>/dev/null; then
    echo sudo -n env
  else
    die "these packages are missing: $* -- sudo asks for a password, and there is no terminal to ask on"
  fi
}

# install_packages PACKAGE...
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    die "this is not a Debian system (no apt-get). Install what Debian calls: $*;" \
      "then configure with 'cmake --preset release'"
  fi
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "${IOTADNN_NO_INSTALL:-0}" != 1 ] ||
    die "these packages are missing: ${missing[*]} -- and IOTADNN_NO_INSTALL forbids installing them"

  local prefix
  prefix=$(as_root "${missing[*]}") || exit 1
  note "installing Debian packages: ${missing[*]}"
  # shellcheck disable=SC2086 # the prefix is words
  $prefix DEBIAN_FRONTEND=noninteractive apt-get update >&2 ||
    note "apt-get update failed; trying with the package lists that are here"
  # shellcheck disable=SC2086
  $prefix DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    "${missing[@]}" </dev/null >&2 ||
    die "apt-get could not install ${missing[*]} (no network, or package lists without them?)"
}

# build PRESET [TARGET...]. A new build folder compiles several files as one, which saves a fifth of a
# whole build; a folder that a developer has configured keeps the way that is quick for one file.
build() {
  local preset=$1 whole=()
  shift
  [ -e "build/$preset/CMakeCache.txt" ] || whole=(-D CMAKE_UNITY_BUILD=ON)
  note "building preset $preset into build/$preset"
  cmake --preset "$preset" "${whole[@]}" >&2
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} >&2
}

# Readable columns out of the driver's perf lines: what was run, time, share of the limit, and the
# bandwidth or how much slower the ops are one by one.
table() {
  awk -F, -f benchdnn_inputs/perf_table.awk
}

run() {
  install_packages "${packages[@]}"
  build release benchdnn
  local lines
  lines=$(mktemp)
  # shellcheck disable=SC2064 # the name is known now
  trap "rm -f '$lines'" EXIT
  build/release/bin/benchdnn --mode=P --graph --batch=perf_ci | tee "$lines"
  build/release/bin/benchdnn --mode=P --graph --batch=fusion/perf_ci | tee -a "$lines"
  printf '\n'
  table <"$lines"
}

run_tests() {
  install_packages "${packages[@]}"
  # While the compiler works; tests that need one of these are skipped without it.
  local installing=
  if [ "${IOTADNN_NO_INSTALL:-0}" != 1 ]; then
    install_packages "${test_packages[@]}" &
    installing=$!
  fi
  build release
  [ -z "$installing" ] || wait "$installing"
  ctest --preset release -j "$jobs"
  build dev-asan
  ctest --preset dev-asan -j "$jobs"
}

command=${1:-help}
[ $# -le 1 ] || { usage >&2; die "one command at a time; given: $*"; }
case "$command" in
  run) run ;;
  test) run_tests ;;
  build) install_packages "${packages[@]}"; build release ;;
  clean) rm -rf build; note "removed build/" ;;
  help | -h | --help) usage ;;
  *) usage >&2; die "there is no command '$command'" ;;
esac
