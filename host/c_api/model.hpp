#pragma once

#include <switchyard/model.hpp>
#include <vector>

#include "c_api/objects.hpp"

struct swy_model final : switchyard::c_api::Counted<switchyard::Model> {
  /// The names of a port's extents, as C has them: they point into `value`.
  using DimNames = std::vector<const char*>;

  explicit swy_model(switchyard::Model model);

  std::vector<DimNames> input_dim_names, output_dim_names;
};
