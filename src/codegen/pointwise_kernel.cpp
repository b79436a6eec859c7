// SPDX-License-Identifier: Apache-2.0
#include "codegen/pointwise_kernel.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "codegen/body_emitter.h"
#include "codegen/body_plan.h"
#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"
#include "codegen/jit_kernel.h"
#include "codegen/pointwise_run.h"

namespace iotadnn::impl {
namespace {

// Where the code of a body stands.
struct BodyCode {
  size_t at = 0;
  int64_t lanes = 1;
};

class PointwiseKernel final : public JitKernel {
 public:
  PointwiseKernel(const RowProgram& program, std::string name, std::unique_ptr<const ExecCode> code,
                  const std::vector<BodyCode>& bodies, uint32_t row_constant_inputs)
      : JitKernel(program, std::move(name), std::move(code)),
        row_constant_inputs_(row_constant_inputs) {
    for (const BodyCode& body : bodies)
      bodies_.push_back({function_at<BodyFunction>(body.at), body.lanes});
  }

  void run(const RunArgs& args) const override {
    PointwiseRun(program(), bodies_, row_constant_inputs_, args).run();
  }

  std::unique_ptr<const BoundKernel> bind(const RunArgs&) const override { return nullptr; }

 private:
  std::vector<CompiledBody> bodies_;  // as the program's
  uint32_t row_constant_inputs_;
};

// Emits each distinct body once.
template <class T>
std::vector<BodyCode> emit_bodies(VecAsm<T>& v, const RowProgram& program,
                                  const KernelConfig& config) {
  std::vector<BodyCode> codes;
  for (size_t b = 0; b < program.bodies.size(); ++b) {
    const auto begin = program.bodies.begin();
    const auto first = std::find(begin, begin + static_cast<ptrdiff_t>(b), program.bodies[b]);
    if (const auto same = static_cast<size_t>(first - begin); same < b) {
      codes.push_back(codes[same]);
      continue;
    }
    const BodyPlan plan(program, program.bodies[b], config.row_constant_inputs);
    const size_t at = v.getSize();
    BodyEmitter<T> emitter(v, program, plan, config.store == Store::nontemporal);
    emitter.emit();
    codes.push_back({at, emitter.lanes()});
  }
  return codes;
}

// What 16 bodies of 256 instructions may take, and more than any that is useful.
constexpr size_t kMaxBufferBytes = size_t{8} << 20;

template <class T>
Result<std::shared_ptr<const Kernel>> make_in_buffer(const RowProgram& program,
                                                     const KernelConfig& config, size_t bytes) {
  VecAsm<T> v(program.elem_bytes, bytes);
  const auto bodies = emit_bodies(v, program, config);
  std::string name = kernel_name(program, config);
  auto code = publish_kernel(v, name);
  if (!code.ok()) return code.status();
  return std::shared_ptr<const Kernel>(std::make_shared<PointwiseKernel>(
      program, std::move(name), std::move(*code), bodies, config.row_constant_inputs));
}

}  // namespace

template <class T>
Result<std::shared_ptr<const Kernel>> make_pointwise_kernel(const RowProgram& program,
                                                            const KernelConfig& config) {
  // The size of the code is known when it is emitted: most programs are small.
  for (size_t bytes = Gen::kBufferBytes; bytes <= kMaxBufferBytes; bytes *= 8) {
    try {
      return make_in_buffer<T>(program, config, bytes);
    } catch (const Xbyak::Error& error) {
      if (static_cast<int>(error) != Xbyak::ERR_CODE_IS_TOO_BIG) throw;
    }
  }
  return unimplemented("a program of this size has no kernel");
}

template Result<std::shared_ptr<const Kernel>> make_pointwise_kernel<Avx2>(const RowProgram&,
                                                                           const KernelConfig&);
template Result<std::shared_ptr<const Kernel>> make_pointwise_kernel<Avx512>(const RowProgram&,
                                                                             const KernelConfig&);

}  // namespace iotadnn::impl
