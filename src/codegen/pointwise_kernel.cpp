// SPDX-License-Identifier: Apache-2.0
#include "codegen/pointwise_kernel.h"

#include <algorithm>
#include <utility>

#include "codegen/body_emitter.h"
#include "codegen/body_plan.h"
#include "codegen/compiled_body.h"
#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"
#include "codegen/jit_kernel.h"
#include "codegen/pointwise_run.h"
#include "codegen/span_emitter.h"

namespace iotadnn::impl {
namespace {

constexpr size_t kNowhere = SIZE_MAX;

// Where functions stand in the code, which has no address yet.
struct Places {
  struct Body {
    size_t function = kNowhere;
    size_t nontemporal = kNowhere;
  };

  std::vector<Body> bodies;
  size_t copy = kNowhere;
  size_t fill = kNowhere;
};

class PointwiseKernel final : public JitKernel {
 public:
  PointwiseKernel(const RowProgram& program, PublishedKernel published, CompiledProgram compiled,
                  const Places& places)
      : JitKernel(program, std::move(published)), compiled_(std::move(compiled)) {
    set(compiled_.copy, places.copy);
    set(compiled_.fill, places.fill);
    for (size_t b = 0; b < places.bodies.size(); ++b) {
      set(compiled_.bodies[b].function, places.bodies[b].function);
      set(compiled_.bodies[b].nontemporal, places.bodies[b].nontemporal);
    }
  }

  void run(const RunArgs& args) const override { PointwiseRun(program(), compiled_, args).run(); }

  std::unique_ptr<const BoundKernel> bind(const RunArgs&) const override { return nullptr; }

 private:
  template <class Function>
  void set(Function& function, size_t place) {
    if (place != kNowhere) function = function_at<Function>(place);
  }

  CompiledProgram compiled_;
};

template <class T>
class Builder {
 public:
  Builder(VecAsm<T>& v, const RowProgram& program, const KernelConfig& config)
      : v_(v), program_(program), config_(config) {
    compiled_.row_constant_inputs = config.row_constant_inputs;
    for (const auto& types : {program.inputs, program.outputs})
      for (const DataType type : types)
        compiled_.tensor_bytes.push_back(static_cast<uint8_t>(bytes_of(type)));
    compiled_.nontemporal = config.store == Store::nontemporal;
  }

  Result<std::shared_ptr<const Kernel>> build() {
    emit_spans();
    for (size_t b = 0; b < program_.bodies.size(); ++b)
      add_body(b);
    for (size_t b = 0; b < compiled_.bodies.size(); ++b)
      if (!compiled_.bodies[b].spans.empty()) compiled_.bodies_of_spans |= 1u << b;
    auto published = publish_kernel(v_, kernel_name(program_, config_));
    if (!published.ok()) return published.status();
    return std::shared_ptr<const Kernel>(std::make_shared<PointwiseKernel>(
        program_, std::move(*published), std::move(compiled_), places_));
  }

 private:
  // Before the bodies, whose functions save more registers.
  void emit_spans() {
    SpanEmitter<T> emitter(v_, compiled_.nontemporal);
    places_.copy = v_.getSize();
    emitter.copy();
    places_.fill = v_.getSize();
    emitter.fill();
  }

  // Bodies that are equal share their code.
  void add_body(size_t index) {
    const auto begin = program_.bodies.begin();
    const auto end = begin + static_cast<ptrdiff_t>(index);
    const auto same = std::find(begin, end, program_.bodies[index]);
    if (same != end) {
      const auto known = static_cast<size_t>(same - begin);
      compiled_.bodies.push_back(compiled_.bodies[known]);
      places_.bodies.push_back(places_.bodies[known]);
      return;
    }
    const BodyPlan plan(program_, program_.bodies[index], config_.row_constant_inputs);
    CompiledBody body;
    Places::Body place;
    body.inputs = plan.inputs();
    body.spans = plan.spans();
    body.reads_column = plan.reads_coord(program_.rank - 1);
    body.reads_row = plan.reads_coord(program_.rank - 2);
    body.is_uniform =
        !body.reads_column && std::all_of(body.inputs.begin(), body.inputs.end(), [this](size_t i) {
          return (config_.row_constant_inputs >> i & 1u) != 0;
        });
    if (body.spans.size() != 1) emit_chunks(plan, body, place);
    compiled_.bodies.push_back(std::move(body));
    places_.bodies.push_back(place);
  }

  void emit_chunks(const BodyPlan& plan, CompiledBody& body, Places::Body& place) {
    BodyEmitter<T> emitter(v_, program_, plan);
    body.lanes = emitter.lanes();
    body.has_parts = emitter.has_parts();
    place.function = v_.getSize();
    emitter.emit(false);
    if (!compiled_.nontemporal || !emitter.has_nontemporal()) return;
    place.nontemporal = v_.getSize();
    emitter.emit(true);
  }

  VecAsm<T>& v_;
  const RowProgram& program_;
  const KernelConfig& config_;
  CompiledProgram compiled_;
  Places places_;
};

// What 16 bodies of 256 instructions may take, and more than any that is useful.
constexpr size_t kMaxBufferBytes = size_t{8} << 20;

}  // namespace

template <class T>
Result<std::shared_ptr<const Kernel>> make_pointwise_kernel(const RowProgram& program,
                                                            const KernelConfig& config) {
  // The size of the code is known when it is emitted: most programs are small.
  for (size_t bytes = Gen::kBufferBytes; bytes <= kMaxBufferBytes; bytes *= 8) {
    try {
      VecAsm<T> v(program.elem_bytes, bytes);
      return Builder<T>(v, program, config).build();
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
