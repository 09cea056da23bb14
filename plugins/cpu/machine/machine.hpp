// What this machine is.
#pragma once

#include <cstdint>
#include <string>

namespace cpu {

std::string processor_name();  // "AMD EPYC 9654"; "processor" if the system does not tell
int processor_count();         // logical processors, at least 1
uint64_t memory_bytes();       // that the process may use; 0 if not known
uint64_t free_memory_bytes();  // what could still be taken without swapping; 0 if not known

}  // namespace cpu
