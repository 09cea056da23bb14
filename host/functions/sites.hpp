#pragma once

#include <memory>

#include "tensor/engine.hpp"

namespace switchyard {

/// The call site of a function's op; one without attributes costs this thread a compare once it has
/// been used.
const std::shared_ptr<const CallSite>& find_site(Engine& engine, const Op& op,
                                                 const Attributes& attributes, OpenDevice& device);

}  // namespace switchyard
