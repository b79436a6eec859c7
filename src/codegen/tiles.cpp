// SPDX-License-Identifier: Apache-2.0
#include "codegen/tiles.h"

#include <mutex>
#include <optional>
#include <utility>

#include "codegen/assemble.h"
#include "codegen/jit_kernel.h"
#include "codegen/tile_emitter.h"

namespace iotadnn::impl {
namespace {

// All functions of an ISA in one piece of code, and where each of them begins.
struct TileCode {
  PublishedKernel published;
  TileFunctions functions;
};

// Emits functions one after the other and notes where they begin.
template <class T>
class Assembly {
 public:
  template <class F>
  size_t add(F&& emit) {
    v_.align(Gen::kAlignment);
    const size_t begin = v_.getSize();
    emit(v_);
    return begin;
  }

  VecAsm<T>& code() { return v_; }

 private:
  VecAsm<T> v_{4, size_t{2} * Gen::kBufferBytes};
};

template <class Struct>
using Function = void (*)(const Struct*);

// Where the functions of bf16 begin; nowhere without the instructions.
struct Bf16Offsets {
  size_t product = 0;
  size_t accumulate = 0;
  size_t pair_bf16 = 0;
  size_t pair_f32 = 0;
};

std::optional<Bf16Offsets> add_bf16(Assembly<Avx2>&, Isa) {
  return std::nullopt;
}

std::optional<Bf16Offsets> add_bf16(Assembly<Avx512>& assembly, Isa isa) {
  if (isa < Isa::avx512_core_bf16) return std::nullopt;
  const auto add_product = [&assembly](bool accumulate) {
    return assembly.add([=](auto& v) { emit_tile_product<Avx512>(v, accumulate, DataType::bf16); });
  };
  const auto add_pair = [&assembly](DataType type) {
    return assembly.add([=](auto& v) { emit_tile_pair(v, type); });
  };
  Bf16Offsets offsets;
  offsets.product = add_product(false);
  offsets.accumulate = add_product(true);
  offsets.pair_bf16 = add_pair(DataType::bf16);
  offsets.pair_f32 = add_pair(DataType::f32);
  return offsets;
}

template <class T>
Result<TileCode> make_tile_code(Isa isa) {
  Assembly<T> assembly;
  const auto add_product = [&assembly](bool accumulate) {
    return assembly.add([=](auto& v) { emit_tile_product<T>(v, accumulate, DataType::f32); });
  };
  const size_t product = add_product(false);
  const size_t accumulate = add_product(true);
  const size_t softmax = assembly.add([](auto& v) { emit_tile_softmax<T>(v); });
  size_t widen[2];
  size_t narrow[2];
  for (const DataType type : {DataType::bf16, DataType::f16}) {
    const size_t i = TileFunctions::index_of(type);
    widen[i] = assembly.add([type](auto& v) { emit_tile_widen<T>(v, type); });
    narrow[i] = assembly.add([type](auto& v) { emit_tile_narrow<T>(v, type); });
  }
  size_t dots[3];
  size_t weigh[3];
  for (const DataType type : {DataType::bf16, DataType::f16, DataType::f32}) {
    const size_t i = TileFunctions::index_of(type);
    dots[i] = assembly.add([type](auto& v) { emit_tile_dots<T>(v, type); });
    weigh[i] = assembly.add([type](auto& v) { emit_tile_weigh<T>(v, type); });
  }
  const auto bf16 = add_bf16(assembly, isa);
  auto published = publish_kernel(assembly.code(), "iotadnn_tiles");
  if (!published.ok()) return published.status();
  TileCode made;
  const auto at = [&published](size_t offset) {
    return reinterpret_cast<uintptr_t>(published->place->entry()) + offset;
  };
  made.functions.columns = kPanelVectors * T::kVecBytes / 4;
  made.functions.product = reinterpret_cast<Function<TileProduct>>(at(product));
  made.functions.accumulate = reinterpret_cast<Function<TileProduct>>(at(accumulate));
  made.functions.softmax = reinterpret_cast<Function<TileSoftmax>>(at(softmax));
  for (size_t i = 0; i < 2; ++i) {
    made.functions.widen[i] = reinterpret_cast<Function<TileRows>>(at(widen[i]));
    made.functions.narrow[i] = reinterpret_cast<Function<TileRows>>(at(narrow[i]));
  }
  made.functions.vector = T::kVecBytes / 4;
  for (size_t i = 0; i < 3; ++i) {
    made.functions.dots[i] = reinterpret_cast<Function<TileVectors>>(at(dots[i]));
    made.functions.weigh[i] = reinterpret_cast<Function<TileVectors>>(at(weigh[i]));
  }
  if (bf16) {
    made.functions.product_bf16 = reinterpret_cast<Function<TileProduct>>(at(bf16->product));
    made.functions.accumulate_bf16 = reinterpret_cast<Function<TileProduct>>(at(bf16->accumulate));
    made.functions.pair_bf16 = reinterpret_cast<Function<TileRows>>(at(bf16->pair_bf16));
    made.functions.pair_f32 = reinterpret_cast<Function<TileRows>>(at(bf16->pair_f32));
  }
  made.published = std::move(*published);
  return made;
}

constexpr size_t kIsas = static_cast<size_t>(Isa::avx512_core_bf16) + 1;

// Kept for the life of the process: threads may still run them when static objects go.
struct TileCodes {
  std::mutex mutex;
  std::optional<TileCode> code[kIsas];
};

TileCodes& tile_codes() {
  static TileCodes& codes = *new TileCodes;
  return codes;
}

}  // namespace

Result<const TileFunctions*> tile_functions(Isa isa) {
  TileCodes& codes = tile_codes();
  const std::lock_guard<std::mutex> lock(codes.mutex);
  auto& code = codes.code[static_cast<size_t>(isa)];
  if (!code) {
    auto made = assemble<TileCode>(isa, "iotadnn_tiles",
                                   [isa](auto t) { return make_tile_code<decltype(t)>(isa); });
    if (!made.ok()) return made.status();  // tried again at the next call
    code = std::move(*made);
  }
  return static_cast<const TileFunctions*>(&code->functions);
}

KernelCode tile_code(Isa isa) {
  TileCodes& codes = tile_codes();
  const std::lock_guard<std::mutex> lock(codes.mutex);
  const auto& code = codes.code[static_cast<size_t>(isa)];
  return code ? code->published.code() : KernelCode{};
}

}  // namespace iotadnn::impl
