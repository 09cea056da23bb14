#include "plugin_loader/plugin.hpp"

#include <utility>

namespace switchyard {

Plugin::Plugin(std::string name, std::shared_ptr<const EnteredLibrary> library)
    : name_(std::move(name)), library_(std::move(library)), probed_(library_->probe()) {}

}  // namespace switchyard
