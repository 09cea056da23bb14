// Packed constants: one for each (constant, form), alive as long as a kernel or the host holds it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace cpu {

// Returns the packed form of constant `id` under `form` (say "matmul/f32/k64n128"), made by `make`
// if none lives. Threads may call it at once; `make` then runs once.
std::shared_ptr<const void> packed_constant(
    uint64_t id, const std::string& form, const std::function<std::shared_ptr<const void>()>& make);

}  // namespace cpu
