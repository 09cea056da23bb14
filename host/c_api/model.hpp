#pragma once

#include <cstddef>
#include <switchyard/model.hpp>
#include <vector>

#include "c_api/objects.hpp"

struct swy_model final : switchyard::c_api::Counted<switchyard::Model> {
  /// The names of a port's extents, as C has them: they point into `value`.
  using DimNames = std::vector<const char*>;

  explicit swy_model(switchyard::Model model);

  std::vector<DimNames> input_dim_names, output_dim_names;
};

namespace switchyard::c_api {

/// Throws Error(invalid_argument) if there is no such one; `direction` is "input" or "output".
const Port& port_at(const std::vector<Port>& ports, const char* direction, std::size_t index);

}  // namespace switchyard::c_api
