// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/isa_avx512.h"
#include "codegen/tiles.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// Vectors of a panel of columns.
inline constexpr int kPanelVectors = 2;

// Each emits one function, whose argument is a pointer to its struct in tiles.h. T is Avx2 or
// Avx512; all throw Xbyak::Error.
// Of f32, or of pairs of bf16, for which T must be Avx512.
template <class T>
void emit_tile_product(VecAsm<T>& v, bool accumulate, DataType type);

// Of f32 or bf16.
void emit_tile_pair(VecAsm<Avx512>& v, DataType type);

template <class T>
void emit_tile_softmax(VecAsm<T>& v);

template <class T>
void emit_tile_widen(VecAsm<T>& v, DataType type);

template <class T>
void emit_tile_narrow(VecAsm<T>& v, DataType type);

template <class T>
void emit_tile_dots(VecAsm<T>& v, DataType type);

template <class T>
void emit_tile_weigh(VecAsm<T>& v, DataType type);

}  // namespace iotadnn::impl
