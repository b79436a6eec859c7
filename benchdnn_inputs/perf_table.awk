# SPDX-License-Identifier: Apache-2.0
# Readable columns out of the driver's CSV (awk -F, -f perf_table.awk): one row per perf line, by the
# names in the header line. Lines that are not CSV are left out.

function human(bytes) {
  if (bytes >= 1073741824) return sprintf("%.4g GiB", bytes / 1073741824)
  if (bytes >= 1048576) return sprintf("%.4g MiB", bytes / 1048576)
  if (bytes >= 1024) return sprintf("%.4g KiB", bytes / 1024)
  return bytes " B"
}

function value(name) { return name in column ? $(column[name]) : "" }

# The graph file's name, which says more of a fused pattern than its ops.
function pattern() {
  name = value("prb")
  sub(/.*--case=(.*\/)?/, "", name)
  sub(/\.json.*/, "", name)
  return name (value("prb") ~ /--inplace=on/ ? ", in place" : "")
}

# A second header starts another table.
$1 == "perf" && /,obytes,/ {
  delete column
  for (i = 1; i <= NF; i++) column[$i] = i
  fused = "min_speedup" in column
  if (fused) {
    printf "\n%-26s %-16s %10s  %-12s %7s %12s %8s  %-18s %8s\n", "pattern", "shape", "bytes",
           "runs as", "threads", "time", "% limit", "limit is", "unfused"
    next
  }
  printf "%-9s %-8s %-16s %10s  %-12s %7s %12s %8s %8s  %s\n", "op", "type", "shape", "bytes", "runs as",
         "threads", "time", "GB/s", "% limit", "limit is"
  next
}

$1 == "perf" && fused {
  printf "%-26s %-16s %10s  %-12s %7s %9.3f us %8.1f  %-18s %7.1fx\n", pattern(), value("shapes"),
         human(value("obytes")), value("impl"), value("threads"), 1000 * value("min_time"),
         value("min_limit"), value("limit-impl"), value("min_speedup")
  next
}

$1 == "perf" {
  printf "%-9s %-8s %-16s %10s  %-12s %7s %9.3f us %8.1f %8.1f  %s\n", value("alg"), value("dt"),
         value("shapes"), human(value("obytes")), value("impl"), value("threads"),
         1000 * value("min_time"), value("min_Gbw"), value("min_limit"), value("limit-impl")
}
