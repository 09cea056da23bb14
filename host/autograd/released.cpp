#include "autograd/released.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

namespace switchyard {

void refuse_released(std::string_view name) {
  Error error(ErrorKind::invalid_argument,
              fmt::format("[backward] was called twice, and what the first pass had saved for {} "
                          "is freed; pass retain_graph = true the first time",
                          name));
  throw error.set_op(name);
}

}  // namespace switchyard
