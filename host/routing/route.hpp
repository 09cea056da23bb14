#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

#include "routing/kernel.hpp"
#include "routing/ledger.hpp"
#include "routing/route_key.hpp"
#include "routing/verdict.hpp"

namespace switchyard {

/// One output as a route makes it.
struct RoutedOutput {
  bool wanted = false;
  DType dtype = DType::undefined;
  sy_output_mode mode = SY_OUTPUT_EXACT;
  Dims shape;  // exact, or the bound
  Dims strides;
  std::size_t size_bytes = 0;
  std::uint64_t layout = 0;     // layout_hash of the above
  std::uint64_t may_alias = 0;  // mask over the node's inputs
  bool contiguous = true;
};

/// The chosen device with a kernel, plus the refusals on the way. Immutable, shared by its users.
struct Route {
  explicit Route(const RouteRequest& request) : key(request) {}

  const RouteKey key;
  OpenDevice* device = nullptr;
  std::shared_ptr<const Kernel> kernel;
  Trail trail;                               // the chosen device last
  std::vector<RoutedOutput> outputs;         // by the node's numbering
  std::vector<std::uint32_t> input_places;   // node input of each program input
  std::vector<std::uint32_t> output_places;  // node output of each program output
  std::uint64_t make_contiguous = 0;         // node inputs to copy first
  std::uint64_t unneeded_inputs = 0;         // node inputs: constants that the kernel has packed
  bool host_work = false;
  bool bring_home = false;  // a fallback from an explicit placement: outputs go there
  OpenDevice* home = nullptr;
  LedgerEntry* fallback = nullptr;  // null if none
  bool cacheable = true;            // not while a device is quarantined
  bool simple = false;              // exact contiguous outputs, no workspace, nothing else to do
};

}  // namespace switchyard
