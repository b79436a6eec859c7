#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the fused patterns again and rewrites what doc/performance.md says of them: the CSV files
# and the picture in doc/measured, and the tables between its markers.
#
#   measure_fusion.sh BENCHDNN [ISA]     BENCHDNN: the driver; ISA: avx2 unless given
#
# Environment: THREADS ("1 2"), REPEATS of each case (3, the one nearest to its limit counts), PYTHON
# (python3; it needs matplotlib). Takes about a quarter of an hour and wants an idle machine.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 2; }
benchdnn=$(realpath "$1")
isa=${2:-avx2}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
measured=$root/doc/measured
files=()
for threads in ${THREADS:-1 2}; do
  [ "$threads" -le "$(nproc)" ] || continue
  file=$measured/fusion_${isa}_${threads}_thread$([ "$threads" = 1 ] || echo s).csv
  OMP_NUM_THREADS=$threads "$benchdnn" --mode=P --max-ms-per-prb=60 --repeats-per-prb="${REPEATS:-3}" \
    --isa="$isa" --graph --batch=fusion/perf_all | grep '^perf,' >"$file"
  files+=("$file")
done
"${PYTHON:-python3}" "$root/tests/benchdnn/fusion_table.py" "${files[@]}" --plot "$measured/fusion.svg" \
  --into "$root/doc/performance.md"
