// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/measure_setup.h"

#include <algorithm>

#include "base/cpu.h"
#include "benchdnn/expectation.h"
#include "benchdnn/values.h"

namespace iotadnn::benchdnn {
namespace {

constexpr double kMiB = 1 << 20;

// "all+tlb:500M": 500 MiB; without a size 1 GiB, as in oneDNN; 0 without the extension.
double tlb_footprint(const std::vector<std::string>& parts) {
  double footprint = 0;
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::vector<std::string> extension = split(parts[i], ':');
    double size = 1024 * kMiB;
    if (extension.size() == 2) {
      const std::string number = extension[1].substr(0, extension[1].size() - 1);
      size = parse_real(number, "--cold-cache") * (extension[1].back() == 'G' ? 1024 : 1) * kMiB;
    }
    footprint = std::max(footprint, size);
  }
  return footprint;
}

void push_out_of_caches(const char* bytes, int64_t size) {
  constexpr int64_t kLine = 64;
  for (int64_t i = 0; i < size; i += kLine)
    __builtin_ia32_clflush(bytes + i);
  __builtin_ia32_mfence();
}

}  // namespace

size_t tensor_sets(const std::string& cold_cache, double bytes_of_one_set) {
  constexpr double kMostSets = 1 << 15;
  const std::vector<std::string> parts = split(cold_cache, '+');
  if (parts[0] == "none") return 1;
  const auto cache = static_cast<double>(impl::cache_sizes().last);
  const double footprint = std::max(4 * cache, tlb_footprint(parts));
  return static_cast<size_t>(
      std::min(footprint / std::max(bytes_of_one_set, 4096.0) + 2, kMostSets));
}

std::vector<LimitMeter> make_meters(const frontends::GraphDesc& graph,
                                    const std::vector<PartitionRun>& runs, const Memories& memories,
                                    int64_t threads, bool cold) {
  std::vector<LimitMeter> meters;
  for (const PartitionRun& run : runs) {
    for (const graph::logical_tensor& lt : run.outputs) {
      const auto expected = expectation_of(graph, lt.get_id(), memories);
      if (!expected) return {};
      LimitRequest request =
          limit_request_of(*expected, view_of(lt, memories.at(lt.get_id())->data()));
      if (request.bytes == 0) continue;
      request.isa = iotadnn_get_effective_cpu_isa();
      request.threads = static_cast<int>(threads);
      if (cold)
        request.prepare = [bytes = static_cast<const char*>(request.buffer), size = request.bytes] {
          push_out_of_caches(bytes, size);
        };
      meters.emplace_back(request);
    }
  }
  return meters;
}

}  // namespace iotadnn::benchdnn
