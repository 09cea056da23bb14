#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ops/row.hpp"
#include "routing/descriptor.hpp"
#include "routing/verdict.hpp"

namespace switchyard {

class OpenDevice;

/// Where a node asks to run.
enum class Purpose : std::uint8_t {
  ordinary,   // the device order
  host_work,  // shape arithmetic and conditions: the host device, counted apart, never refused
};

/// One position in a program that calls an op: the op with its attributes. Immutable; its number
/// never returns, so that caches may compare numbers in place of attributes.
struct CallSite {
  const Op* op = nullptr;
  Attributes attributes;
  std::uint32_t math_flags = 0;
  Purpose purpose = Purpose::ordinary;
  OpenDevice* placement = nullptr;  // the device asked for explicitly, or null
  std::string name;                 // the model's name for the node, for messages
  std::uint64_t number = 0;         // unique in the process
  std::uint64_t hash = 0;           // of all that a route depends on
};

/// The hash of a site: of all that a route depends on.
std::uint64_t site_hash(const Op& op, const Attributes& attributes, Purpose purpose,
                        const OpenDevice* placement, std::uint32_t math_flags);

/// A site with its number and hash.
CallSite make_site(const Op& op, Attributes attributes, Purpose purpose = Purpose::ordinary,
                   OpenDevice* placement = nullptr, std::uint32_t math_flags = 0,
                   std::string name = {});

/// A device that has failed the very call that is to be routed, and how.
struct Exclusion {
  const OpenDevice* device;
  Verdict verdict;
};

/// A call to be routed: its inputs' descriptors and which outputs are wanted.
struct RouteRequest {
  const CallSite& site;
  std::span<const TensorDescriptor> inputs;
  std::uint64_t wanted_outputs;  // mask
  std::size_t output_count;
  std::span<const Exclusion> excluded = {};
};

}  // namespace switchyard
