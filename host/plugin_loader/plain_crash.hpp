#pragma once

namespace switchyard {

/// For processes that exist to run what may crash: a crash ends them as it ends a program without
/// handlers, by its signal, and leaves no core file behind.
void crash_plainly();

}  // namespace switchyard
