// The texts of kernels/*.metal, embedded by the build.
#pragma once

#include <string_view>
#include <vector>

#include "seam/seam.hpp"

namespace mps {

// Named after its file; the headers that it includes stand in their places.
struct KernelSource : seam::Source {
  // Its kernels, those that need a newer version of the language among them.
  std::vector<std::string_view> functions;
  std::string_view hash;  // of the text, as in the names of libraries compiled beforehand
};

const std::vector<KernelSource>& kernel_sources();

// chain.h, with its headers in their places: what the kernels of chains have before their own text.
std::string_view chain_preamble();

}  // namespace mps
