// oneDNN makes its code for products when it first needs it, and unmaps it when the process ends:
// before static objects of the program, and threads that they join, which may multiply still.
#pragma once

namespace cpu::onednn {

// False once the process ends: oneDNN is not to be asked. If true, leave_product() must follow.
bool enter_product();
void leave_product();

// Between the two, after the product. `kind`, below 32, tells apart what oneDNN may have code of
// its own for: the end is noticed before such code ends.
void announce_end_after(unsigned kind);

}  // namespace cpu::onednn
