#include "plugin_loader/plugin.hpp"

#include <utility>

namespace switchyard {

Plugin::Plugin(std::string name, std::shared_ptr<const EnteredLibrary> library, LoadMarks marks)
    : name_(std::move(name)),
      library_(std::move(library)),
      marks_(std::move(marks)),
      probed_(library_->probe()) {}

}  // namespace switchyard
