# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What measure_attention.sh and measure_fusion.sh share, to be sourced. Sets root, measured (the folder
# of what was measured), files (what this run wrote), and from the arguments of the script benchdnn and
# isa.
set -euo pipefail
[ $# -ge 1 ] || { awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "$0"; exit 2; }
benchdnn=$(realpath "$1")
isa=${2:-avx2}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
measured=$root/doc/measured
files=()

# perf_lines THREADS KNOB...: the driver's lines of a measurement.
perf_lines() {
  OMP_NUM_THREADS=$1 "$benchdnn" --isa="$isa" "${@:2}" | grep '^perf,'
}

# measure_threads NAME COMMAND: what COMMAND THREADS prints becomes $measured/NAME_ISA_..._thread(s).csv,
# for each number of THREADS ("1 2") that the machine has.
measure_threads() {
  local threads file
  for threads in ${THREADS:-1 2}; do
    [ "$threads" -le "$(nproc)" ] || continue
    file=$measured/${1}_${isa}_${threads}_thread$([ "$threads" = 1 ] || echo s).csv
    "$2" "$threads" >"$file"
    files+=("$file")
  done
}

# write_tables SCRIPT NAME DOCUMENT: the picture $measured/NAME.svg and the tables of DOCUMENT.
write_tables() {
  "${PYTHON:-python3}" "$root/tests/benchdnn/$1" "${files[@]}" --plot "$measured/$2.svg" --into "$root/$3"
}
