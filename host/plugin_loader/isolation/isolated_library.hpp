/// From a library's file to a plugin that another process serves.
#pragma once

#include <memory>

#include "plugin_loader/entered_library.hpp"
#include "plugin_loader/isolation/isolated_plugin.hpp"

namespace switchyard {

/// The library, entered on these terms in a process of its own. Those who ask on equal terms while
/// it is in use share it; the process ends when nobody uses it any more. Throws LoadError.
std::shared_ptr<const EnteredLibrary> enter_isolated(const LibraryFile& file,
                                                     const EntryTerms& terms,
                                                     const isolation::IsolationTerms& isolation);

}  // namespace switchyard
