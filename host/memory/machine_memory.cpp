#include "memory/machine_memory.hpp"

#include <switchyard/plugin/machine_memory.hpp>

namespace switchyard {

std::uint64_t machine_memory() { return sy::machine_memory_bytes(); }

}  // namespace switchyard
