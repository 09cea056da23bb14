// Packed constants: one for each (constant, form), alive as long as a kernel or the host holds it.
//
// The table of them owns no data: it refers to them weakly, so that they are freed with their last
// holder. There are two kinds of locks: the table's, held while an entry is looked up, and an
// entry's own, held while its form is made. An entry's is taken under the table's only where no
// other thread knows the entry, so that nobody waits there. So those who want one form wait for its
// maker, and all others go on; `make` may pack other constants, but not the same again. Packed data
// are written before they are first given out, never after: any number of runs read them at once.
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
