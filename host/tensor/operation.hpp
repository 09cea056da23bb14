#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <switchyard/runtime.hpp>

#include "tensor/engine.hpp"

namespace switchyard {

/// An op with its attributes checked and its defaults set. Holds what it runs on.
struct Operation::State {
  std::shared_ptr<Engine> engine;
  std::shared_ptr<OpenDevice> placement;
  CallSite site;
};

std::shared_ptr<const Operation::State> make_operation(
    std::shared_ptr<Engine> engine, std::shared_ptr<OpenDevice> placement, std::string_view op,
    std::vector<std::pair<std::string, AttributeArgument>> attributes, std::string_view domain);

}  // namespace switchyard
