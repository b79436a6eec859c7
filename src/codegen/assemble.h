// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <string>

#include "base/cpu.h"
#include "base/status.h"
#include "codegen/gen.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {

// The only choice between instruction sets in the library: make(Avx2()) or make(Avx512()), whose
// result this is. Nothing that the assembler throws gets out.
template <class Value, class Make>
Result<Value> assemble(Isa isa, const std::string& name, const Make& make) {
  try {
    switch (isa) {
      case Isa::avx512_core_bf16:
      case Isa::avx512_core:
        return make(Avx512());
      case Isa::avx2:
        return make(Avx2());
      case Isa::portable:
      case Isa::reference:
        break;
    }
  } catch (const Xbyak::Error& error) {
    return runtime_error(name + " cannot be assembled: " + error.what());
  } catch (const std::bad_alloc&) {
    return out_of_memory("no memory to assemble " + name);
  }
  return unimplemented("there is no machine code for instruction set '" +
                       std::string(name_of(isa)) + "'");
}

}  // namespace iotadnn::impl
