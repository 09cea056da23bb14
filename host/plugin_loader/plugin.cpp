#include "plugin_loader/plugin.hpp"

#include <utility>

#include "plugin_loader/watch/thread_calls.hpp"

namespace switchyard {

Plugin::Plugin(std::shared_ptr<const watch::CallTarget> calls,
               std::shared_ptr<const EnteredLibrary> library, LoadMarks marks)
    : calls_(std::move(calls)),
      library_(std::move(library)),
      marks_(std::move(marks)),
      probed_(probe_again()) {}

ProbeResult Plugin::probe_again() const {
  const watch::CallScope called("probe", calls_.get());
  return library_->probe();
}

}  // namespace switchyard
