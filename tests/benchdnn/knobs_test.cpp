// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/knobs.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/errors.h"
#include "benchdnn/input_files.h"
#include "benchdnn/onednn_rival.h"
#include "benchdnn/shape_text.h"
#include "benchdnn/values.h"

namespace iotadnn::benchdnn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Settings parse(const std::vector<std::string>& arguments) {
  Settings settings;
  for (const std::string& argument : arguments) {
    const ParsedKnob parsed = parse_argument(argument);
    if (parsed.knob->action == KnobAction::set) parsed.knob->apply(settings, parsed.value);
  }
  return settings;
}

TEST(Knobs, NamesAreUniqueAndInHelp) {
  std::set<std::string_view> names;
  const std::string help = help_text();
  for (const Knob& knob : knobs()) {
    EXPECT_TRUE(names.insert(knob.name).second) << knob.name;
    EXPECT_THAT(help, HasSubstr("--" + std::string(knob.name)));
    EXPECT_EQ(knob.apply != nullptr, knob.action == KnobAction::set) << knob.name;
    EXPECT_FALSE(knob.help.empty()) << knob.name;
  }
}

TEST(Knobs, ValuesThatOneDnnAccepts) {
  EXPECT_EQ(parse({"--check-ref-impl=cpu"}).global.check_ref_impl, "cpu");
  EXPECT_EQ(parse({"--check-ref-impl=gpu"}).global.check_ref_impl, "gpu");
  EXPECT_EQ(parse({"--check-ref-impl=true"}).global.check_ref_impl, "true");
  EXPECT_THROW(parse({"--check-ref-impl=npu"}), UsageError);
  EXPECT_EQ(parse({"--execution-mode=graph"}).global.execution_mode, "graph");
  EXPECT_THROW(parse({"--execution-mode=lazy"}), UsageError);
  EXPECT_FALSE(parse({"--fast-ref-gpu=false"}).global.fast_ref);
  EXPECT_EQ(parse({"--ctx-init=2", "--ctx-exe=4:0:2"}).driver.ctx_exe, "4:0:2");
  EXPECT_EQ(parse({"--ctx-exe=auto"}).driver.ctx_exe, "auto");
  for (const char* bad : {"--ctx-init=", "--ctx-exe=two", "--ctx-exe=1:2:3:4"})
    EXPECT_THROW(parse({bad}), UsageError) << bad;
}

TEST(Knobs, ImplFilters) {
  const auto admits = [](const std::vector<std::string>& arguments, const char* impl) {
    return parse(arguments).driver.impl.admits(impl);
  };
  EXPECT_TRUE(admits({}, "jit:avx2"));
  EXPECT_TRUE(admits({"--impl=jit"}, "jit:avx2"));
  EXPECT_TRUE(admits({"--impl=brg,avx2"}, "jit:avx2"));
  EXPECT_FALSE(admits({"--impl=jit:avx512"}, "jit:avx2"));
  EXPECT_FALSE(admits({"--skip-impl=ref,portable"}, "reference"));
  EXPECT_TRUE(admits({"--skip-impl=ref,portable"}, "jit:avx2"));
  EXPECT_TRUE(admits({"--skip-impl=jit", "--impl=jit"}, "jit:avx2")) << "the later one counts";
  EXPECT_TRUE(admits({"--skip-impl=jit", "--skip-impl="}, "jit:avx2"));
  EXPECT_FALSE(parse({"--global-skip-impl=jit"}).global.impl.admits("jit:avx2"));
  EXPECT_TRUE(parse({"--global-impl=jit"}).global.impl.admits("jit:avx2"));
}

TEST(Knobs, EveryGlobalKnobOfOneDnn) {
  for (const char* name : {"mode",
                           "mode-modifier",
                           "fix-times-per-prb",
                           "max-ms-per-prb",
                           "repeats-per-prb",
                           "cold-cache",
                           "start",
                           "engine",
                           "summary",
                           "verbose",
                           "mem-check",
                           "canonical",
                           "cpu-isa-hints",
                           "fast-ref",
                           "fast-ref-gpu",
                           "global-impl",
                           "global-skip-impl",
                           "memory-kind",
                           "stream-kind",
                           "num-streams",
                           "execution-mode",
                           "check-ref-impl",
                           "attr-same-pd-check",
                           "allow-enum-tags-only",
                           "buffer-prefix"}) {
    bool found = false;
    for (const Knob& knob : knobs())
      found = found || knob.name == name;
    EXPECT_TRUE(found) << name;
  }
}

TEST(Knobs, ListsMultiplyInOneDnnsOrder) {
  const Settings settings = parse({"--in-shapes=0:2x3,", "--mb=1,2", "--dt=f32,bf16"});
  const auto cases = combinations(settings.driver, "f.json");
  std::vector<std::string> repros;
  for (const CaseSettings& one : cases)
    repros.push_back(case_repro(one));
  EXPECT_THAT(repros,
              ElementsAre("--mb=1 --dt=f32 --in-shapes=0:2x3 --case=f.json",
                          "--mb=2 --dt=f32 --in-shapes=0:2x3 --case=f.json",
                          "--mb=1 --dt=bf16 --in-shapes=0:2x3 --case=f.json",
                          "--mb=2 --dt=bf16 --in-shapes=0:2x3 --case=f.json",
                          "--mb=1 --dt=f32 --case=f.json", "--mb=2 --dt=f32 --case=f.json",
                          "--mb=1 --dt=bf16 --case=f.json", "--mb=2 --dt=bf16 --case=f.json"));
}

TEST(Knobs, ReproHasOneDnnsOrderAndSortsIds) {
  const Settings settings = parse(
      {"--expected-n-partitions=0", "--attr-fpmath=bf16:true",
       "--op-attrs=10:k:1*shape:2x3+2:axis:1", "--in-shapes=11:2x3*ba+9:4x4", "--tensor-value=3:-1",
       "--tensor-property=1:constant", "--op-kind=4:Add", "--dt=10:s8+9:f16", "--mb=3"});
  EXPECT_EQ(case_repro(combinations(settings.driver, "a/b.json").at(0)),
            "--mb=3 --dt=9:f16+10:s8 --op-kind=4:Add --tensor-property=1:constant "
            "--tensor-value=3:-1 --in-shapes=9:4x4+11:2x3*ba --op-attrs=2:axis:1+10:k:1*shape:2x3 "
            "--attr-fpmath=bf16:true --expected-n-partitions=0 --case=a/b.json");
}

// A repro, parsed again, is the same repro: of global knobs and of the driver's.
TEST(Knobs, ReproRoundTrip) {
  const std::vector<std::vector<std::string>> command_lines = {
      {},
      {"--mode=R"},
      {"--mode=F"},
      {"--mode=S", "--isa=avx2"},
      {"--mode=P",
       "--mode-modifier=PM",
       "--max-ms-per-prb=12.5",
       "--fix-times-per-prb=3",
       "--canonical=true",
       "--engine=cpu:0",
       "--fast-ref=false",
       "--mem-check=false",
       "--allow-enum-tags-only=false",
       "--cpu-isa-hints=prefer_ymm",
       "--attr-same-pd-check=true",
       "--check-ref-impl=cpu",
       "--execution-mode=graph",
       "--global-skip-impl=ref,portable",
       "--memory-kind=buffer",
       "--stream-kind=in_order",
       "--num-streams=2",
       "--cold-cache=all+tlb:100M",
       "--buffer-prefix=x/y",
       "--isa=PORTABLE",
       "--strategy=threads=1,store=normal",
       "--threads=2",
       "--inplace=off",
       "--policy=debug",
       "--attention-fill=small",
       "--mb=2",
       "--dt=bf16",
       "--in-shapes=0:-+1:*acb",
       "--op-attrs=0:k:-9223372036854775808",
       "--tensor-value=2:2x3+3:-1.5",
       "--attr-fpmath=tf32",
       "--expected-n-partitions=3",
       "--compare=graph:dir/f.json",
       "--skip-impl=ref",
       "--ctx-init=2",
       "--ctx-exe=2:0"},
      {"--global-impl=jit", "--impl=jit"}};
  for (const auto& arguments : command_lines) {
    const Settings first = parse(arguments);
    const std::string repro =
        global_repro(first.global) + case_repro(combinations(first.driver, "f").at(0));
    const Settings again = parse(batch_arguments(repro));
    EXPECT_EQ(global_repro(again.global) + case_repro(combinations(again.driver, "f").at(0)),
              repro);
  }
}

// A build without oneDNN refuses to measure it, rather than print a ratio of nothing.
TEST(Knobs, ComparisonNeedsWhatIsCompared) {
  if (!has_onednn()) {
    EXPECT_THROW(parse({"--compare=onednn"}), UsageError);
    return;
  }
  EXPECT_EQ(global_repro(parse({"--compare=onednn"}).global), "--compare=onednn --graph ");
  EXPECT_EQ(global_repro(parse({"--compare=onednn", "--compare=none"}).global), "--graph ");
}

TEST(Knobs, ComparisonWithAGraph) {
  const Settings settings = parse({"--compare=graph:attention/no-mask.json"});
  EXPECT_EQ(settings.global.compare.with, Compare::With::graph);
  EXPECT_EQ(settings.global.compare.file, "attention/no-mask.json");
  EXPECT_EQ(global_repro(settings.global), "--compare=graph:attention/no-mask.json --graph ");
  for (const char* value : {"graph", "graph:", "no-mask.json", ""})
    EXPECT_THROW(parse({"--compare=" + std::string(value)}), UsageError) << value;
}

TEST(Knobs, DefaultsHaveAnEmptyRepro) {
  const Settings settings;
  EXPECT_EQ(global_repro(settings.global), "--graph ");
  EXPECT_EQ(case_repro(combinations(settings.driver, "f.json").at(0)), "--case=f.json");
}

TEST(Knobs, TwoStylesOfDtDoNotMix) {
  EXPECT_THROW(parse({"--dt=f32", "--dt=0:f32"}), UsageError);
  EXPECT_THROW(parse({"--dt=0:f32", "--dt=f32"}), UsageError);
  EXPECT_NO_THROW(parse({"--dt=undef", "--dt=0:f32,1:s8"}));
}

TEST(Knobs, ModesThatFixOtherKnobs) {
  EXPECT_THROW(parse({"--mode=F", "--max-ms-per-prb=100"}), UsageError);
  EXPECT_THROW(parse({"--mode=S", "--fix-times-per-prb=2"}), UsageError);
  EXPECT_EQ(parse({"--max-ms-per-prb=1"}).global.max_ms_per_prb, 10);
  EXPECT_EQ(parse({"--max-ms-per-prb=1e9"}).global.max_ms_per_prb, 60000);
  EXPECT_EQ(parse({"--mode=f"}).global.max_ms_per_prb, 10);
}

TEST(Knobs, VerboseForms) {
  EXPECT_EQ(parse({"-v5"}).global.verbose, 5);
  EXPECT_EQ(parse({"--verbose=99"}).global.verbose, 99);
  EXPECT_THROW(parse({"-v"}), UsageError);
  EXPECT_THROW(parse({"-vx"}), UsageError);
}

TEST(BatchFiles, CommentsAndContinuation) {
  EXPECT_THAT(batch_arguments("# all\n--a=1 --b=\\\n  # in between\n  2,\\\n3\t--c # end\n--d"),
              ElementsAre("--a=1", "--b=2,3", "--c", "--d"));
  EXPECT_THAT(batch_arguments(""), ElementsAre());
  EXPECT_THAT(batch_arguments("--x=a#b"), ElementsAre("--x=a#b"));
}

TEST(Shapes, Grammar) {
  EXPECT_THAT(*parse_shape("2x0x4", "t").dims, ElementsAre(2, 0, 4));
  EXPECT_THAT(*parse_shape("-", "t").dims, ElementsAre());
  EXPECT_FALSE(parse_shape("*acb", "t").dims.has_value());
  EXPECT_EQ(parse_shape("2x3x4*acb", "t").tag, "acb");
  EXPECT_THAT(parse_shape("2x3*10x1", "t").strides, ElementsAre(10, 1));
  for (const char* bad : {"", "2x", "x2", "2*3*4", "2x3*abc", "2x3*ac", "2x3*5", "-1x2", "2 x3"})
    EXPECT_THROW(parse_shape(bad, "t"), UsageError) << bad;
}

TEST(Shapes, TagsAndStrides) {
  EXPECT_THAT(*strides_of_tag("acbd", {1, 16, 32, 32}), ElementsAre(16384, 32, 512, 1));
  EXPECT_EQ(tag_of_strides({1, 16, 32, 32}, {16384, 32, 512, 1}), "acbd");
  EXPECT_EQ(tag_of_strides({2, 3}, {3, 1}), "ab");
  EXPECT_EQ(tag_of_strides({2, 3}, {4, 1}), "") << "padded";
  EXPECT_EQ(tag_of_strides({1, 1, 1, 128}, {128, 128, 128, 1}), "abcd");
  EXPECT_EQ(tag_of_strides({}, {}), "");
  EXPECT_FALSE(strides_of_tag("ab", {2, INT64_MAX}).has_value() &&
               strides_of_tag("ba", {INT64_MAX, 3}).has_value());
}

TEST(Values, EditDistance) {
  EXPECT_EQ(edit_distance("in-shape", "in-shapes"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

}  // namespace
}  // namespace iotadnn::benchdnn
