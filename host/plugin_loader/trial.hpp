// Whether a library may be opened in this process: a trial in another one says so, or its record.
#pragma once

#include "plugin_loader/entered_library.hpp"
#include "plugin_loader/library_file.hpp"
#include "plugin_loader/load.hpp"
#include "plugin_loader/load_marks.hpp"

namespace switchyard {

/// Throws LoadError for a library that kills or hangs the process which tries it. A build that has
/// survived is not tried again, unless a process ended since while it loaded it. A trial that
/// cannot be made refuses nothing: the file is the one that the configuration names.
void survive_trial(const LibraryFile& file, const EntryTerms& terms, const LoadContext& context);

/// Those of this library on these terms, beside the record of trials.
LoadMarks load_marks(const LibraryFile& file, const EntryTerms& terms, const LoadContext& context);

}  // namespace switchyard
