#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <vector>

namespace switchyard::cli::conform {

/// What a plugin fills in when it prepares a program, with room for all of it.
struct PrepareAnswers {
  /// The args of the call that asks for them; they point into this and into the program.
  sy_prepare_args ask_for(sy_device device, const sy_program& program);

  std::vector<std::uint8_t> specialised_on;  // by input
  std::vector<sy_output_plan> plans;         // by output
  std::vector<std::vector<std::int64_t>> bounds, strides;
  std::vector<sy_packed_constant> constants;
};

}  // namespace switchyard::cli::conform
