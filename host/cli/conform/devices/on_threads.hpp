#pragma once

#include <functional>

namespace switchyard::cli::conform {

/// Runs `work` on so many threads, each with its number; throws what the first of them that fails
/// has thrown.
void on_threads(unsigned count, const std::function<void(unsigned)>& work);

}  // namespace switchyard::cli::conform
