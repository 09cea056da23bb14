#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <switchyard/operation.hpp>

#include "tensor/engine.hpp"

namespace switchyard {

/// An op with its attributes checked and its defaults set. Holds what it runs on.
struct Operation::State {
  std::shared_ptr<Engine> engine;
  std::shared_ptr<OpenDevice> placement;
  std::size_t usual_outputs = 1;  // all but the optional ones at the end; 0: a variable number
  CallSite site;
};

std::shared_ptr<const Operation::State> make_operation(std::shared_ptr<Engine> engine,
                                                       std::shared_ptr<OpenDevice> placement,
                                                       std::string_view op,
                                                       AttributeArguments attributes,
                                                       std::string_view domain);

}  // namespace switchyard
