// Whether the work of several streams on one storage is ordered by what the host has waited for.
#pragma once

#include <string>

#include "objects.hpp"

namespace checking {

// The caller of all of these holds everything().

// Up to which number the work of `stream` is known to be over: for whoever enqueues on `by` from
// now on, or, where it is null, for the host.
uint64_t known_done(const Stream& stream, const Stream* by = nullptr);

// Notes that work `sequence` of `stream` reads or writes the storage, after checking that the work
// of other streams that it must come after is known to be done.
enum class Access { read, write };
void note_use(Stream& stream, uint64_t sequence, Storage& storage, Access access,
              const std::string& what);

// Checks that no work uses the storage that is not known to be done. `for_reading`: work that reads
// it may go on. `but` may use it, and all that it comes after.
void check_unused(const Storage& storage, bool for_reading, const Stream* but,
                  const std::string& what);

}  // namespace checking
