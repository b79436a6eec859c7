// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/measure_setup.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "base/cpu.h"
#include "benchdnn/expectation.h"
#include "benchdnn/limit_stores.h"
#include "benchdnn/move_ways.h"
#include "benchdnn/probe.h"
#include "benchdnn/read_limit.h"
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

using Buffers = std::vector<std::shared_ptr<TensorMemory>>;

iotadnn_cpu_isa_t isa_of_meters() {
  return iotadnn_get_effective_cpu_isa();
}

// False when an output's content is not known; then nothing is added.
bool add_known_content(const frontends::GraphDesc& graph, const PartitionRun& run,
                       const Memories& memories, const MeterSettings& settings, Meters& meters) {
  std::vector<LimitRequest> requests;
  for (const graph::logical_tensor& lt : run.outputs) {
    const auto expected = expectation_of(graph, lt.get_id(), memories);
    if (!expected) return false;
    LimitRequest request =
        limit_request_of(*expected, view_of(lt, memories.at(lt.get_id())->data()));
    if (request.bytes == 0) continue;
    request.isa = isa_of_meters();
    request.threads = static_cast<int>(settings.threads);
    if (settings.cold)
      request.prepare = [bytes = static_cast<const char*>(request.buffer), size = request.bytes] {
        push_out_of_caches(bytes, static_cast<size_t>(size));
      };
    requests.push_back(std::move(request));
  }
  // Sources are not read, so there is no other buffer to be apart from.
  for (const LimitRequest& request : requests)
    meters.push_back({LimitMeter(request), settings.limit, settings.out_of_place});
  return true;
}

void push_all_out_of_caches(const MoveList& list) {
  for (size_t i = 0; i < list.outputs.size(); ++i)
    push_out_of_caches(list.outputs[i], list.output_bytes[i]);
  for (const auto& set : list.source_sets)
    for (const MoveSource& source : set)
      push_out_of_caches(source.data, source.bytes);
}

// Gives the outputs that lie over inputs buffers of their own, which the caller keeps.
Buffers move_apart(ProbedRun& probed) {
  Buffers buffers;
  for (ProbedOutput& output : probed.outputs) {
    const bool shared =
        std::any_of(probed.inputs.begin(), probed.inputs.end(),
                    [&output](const ProbedInput& input) { return input.data == output.data; });
    if (!shared) continue;
    buffers.push_back(std::make_shared<TensorMemory>(output.bytes));
    output.data = static_cast<char*>(buffers.back()->data());
  }
  return buffers;
}

// False when no whole line is moved. The meter keeps `buffers`.
bool add_moves(const ProbedRun& probed, const MeterSettings& settings, const Buffers& buffers,
               Meters& meters) {
  const auto list = std::make_shared<const MoveList>(moves_of(probed.inputs, probed.outputs));
  if (list->moves.empty()) return false;
  std::vector<Way> ways = ways_of(list, isa_of_meters());
  for (Way& way : ways)
    way.run = [run = way.run, buffers](int threads) { run(threads); };
  std::function<void()> prepare;
  if (settings.cold) prepare = [list] { push_all_out_of_caches(*list); };
  LimitMeter meter(std::move(ways), static_cast<int>(settings.threads), std::move(prepare));
  meters.push_back({std::move(meter), settings.limit, settings.out_of_place});
  return true;
}

// False when the moves are not known, or there are none. One meter serves both purposes where no
// output lies over an input.
bool add_found_moves(const frontends::GraphDesc& graph, const PartitionRun& run,
                     const Memories& memories, const graph::engine& engine, MeterSettings settings,
                     Meters& meters) {
  auto probed = probe(graph, run, memories, engine);
  if (!probed) return false;
  if (!settings.out_of_place || run.inplace.empty())
    return add_moves(*probed, settings, {}, meters);
  MeterSettings limit = settings;
  limit.out_of_place = false;
  if (settings.limit && !add_moves(*probed, limit, {}, meters)) return false;
  settings.limit = false;
  const Buffers apart = move_apart(*probed);
  return add_moves(*probed, settings, apart, meters);
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

Meters make_meters(const frontends::GraphDesc& graph, const std::vector<PartitionRun>& runs,
                   const Memories& memories, const graph::engine& engine,
                   const MeterSettings& settings) {
  if (!settings.limit && !settings.out_of_place) return {};
  Meters meters;
  for (const PartitionRun& run : runs) {
    if (add_known_content(graph, run, memories, settings, meters)) continue;
    if (!add_found_moves(graph, run, memories, engine, settings, meters)) return {};
  }
  return meters;
}

PurposefulMeter make_read_meter(const std::vector<size_t>& sizes, const MeterSettings& settings) {
  PurposefulMeter reading{
      read_meter(sizes, isa_of_meters(), static_cast<int>(settings.threads), settings.cold)};
  reading.reading = true;
  return reading;
}

}  // namespace iotadnn::benchdnn
