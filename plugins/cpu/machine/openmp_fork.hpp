#pragma once

namespace cpu {

// Lets a forked child of this process end. LLVM's OpenMP (16, at least), once it has begun in the
// parent, waits for ever at the exit of a child that has not used it: so each child does. Any
// number of calls; does nothing with other OpenMPs, and without one. tests/forked-child holds it to
// that in builds by clang.
void let_forked_children_end();

}  // namespace cpu
