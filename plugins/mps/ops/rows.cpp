#include "ops/rows.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ops/building/graph_builder.hpp"
#include "runtime/limits.hpp"
#include "switchyard/plugin/claim_check.hpp"

namespace mps {
namespace {

// Takes bfloat16 where it takes float16, on devices that compute with it.
constexpr unsigned bfloat16_too = 1;
// Its kernels are written for SIMD groups of 32 lanes, which AMD's GPUs do not have.
constexpr unsigned lanes_of_32 = 2;
// Scalars of the host may lie in the arguments of a call.
constexpr unsigned immediates = 4;

struct Family {
  std::span<const KernelRow> rows;
  unsigned needs;

  bool has(unsigned need) const { return (needs & need) != 0; }
};

std::span<const Family> families() {
  static const Family all[] = {
#define ROWS(name, needs) {name##_rows(), needs},
#include "ops/rows.def"
#undef ROWS
  };
  return all;
}

uint64_t with_bfloat16(uint64_t dtypes) {
  return (dtypes & SY_DTYPE_BIT(SY_FLOAT16)) != 0 ? dtypes | SY_DTYPE_BIT(SY_BFLOAT16) : dtypes;
}

// Where the device lacks what a row may need the host has to ask, to hear why it is refused.
sy::ClaimTable make_claims(Traits traits) {
  sy::ClaimTable made;
  for (const Family& family : families()) {
    for (const KernelRow& row : family.rows) {
      sy::Claim claim = row.claim;
      claim.flags |= SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS;
      if (family.has(immediates)) claim.flags |= SY_CLAIM_IMMEDIATES;
      if (family.has(bfloat16_too)) {
        claim.dtypes = with_bfloat16(claim.dtypes);
        claim.output_dtypes = with_bfloat16(claim.output_dtypes);
      }
      const bool is_all = row.check == nullptr && (traits.bfloat16 || !family.has(bfloat16_too)) &&
                          (traits.lanes_of_32 || !family.has(lanes_of_32)) &&
                          (traits.has_wide_graphs() || row.make != nullptr);
      if (is_all) claim.flags |= SY_CLAIM_NO_SUPPORTS_CALL;
      made.add(claim);
    }
  }
  return made;
}

// A claim as the ABI has it, beside its row.
struct Candidate {
  sy_claim claim;
  const KernelRow* row;
  const Family* family;
};

const std::unordered_map<std::string_view, std::vector<Candidate>>& candidates_by_op() {
  using Index = std::unordered_map<std::string_view, std::vector<Candidate>>;
  static const auto& index = *new const Index([] {
    Index made;
    size_t position = 0;
    for (const Family& family : families()) {
      for (const KernelRow& row : family.rows) {
        const sy_claim& claim = all_claims({}).data()[position++];
        made[row.claim.op].push_back({claim, &row, &family});
      }
    }
    return made;
  }());
  return index;
}

// True if `is` holds for an input or an output.
template <typename Is>
bool has_value(const sy::Node& node, Is&& is) {
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i) != nullptr && is(*node.input(i))) return true;
  }
  for (uint32_t i = 0; i < node.output_count(); ++i) {
    if (node.output(i) != nullptr && is(*node.output(i))) return true;
  }
  return false;
}

bool is_bfloat16(const sy_value& value) { return value.dtype == SY_BFLOAT16; }
bool is_unknown(const sy_value& value) { return !sy::has_known_shape(value); }

bool is_empty(const sy_value* value) {
  return value != nullptr && sy::element_count(sy::shape_of(*value)) == 0;
}

// For nodes whose shapes are all known.
bool makes_nothing(const sy::Node& node) {
  for (uint32_t i = 0; i < node.output_count(); ++i) {
    if (node.output(i) != nullptr && !is_empty(node.output(i))) return false;
  }
  return true;
}

// Of nodes that make nothing, which no graph takes, and which nobody runs.
class Nothing final : public Kernel {
 public:
  void encode(const Run&) const override {}
};

// Graphs take no tensor without elements.
void require_elements(const sy::Node& node) {
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    if (!is_empty(node.input(i)) || sy::is_host_input(*node.input(i))) continue;
    throw sy::unsupported(SY_REASON_LIMIT, "input ", i, " has no elements");
  }
}

void check_sizes(const sy::Node& node) {
  has_value(node, [](const sy_value& value) {
    if (!is_unknown(value)) limited_count(sy::shape_of(value));
    return false;
  });
}

void check(const Candidate& candidate, const sy::Node& node, Traits traits) {
  sy::check_claim(candidate.claim, node);
  if (candidate.family->has(lanes_of_32) && !traits.lanes_of_32) {
    throw sy::unsupported(SY_REASON_OS, "needs SIMD groups of 32 lanes, as Apple's GPUs have");
  }
  if (candidate.family->has(bfloat16_too) && !traits.bfloat16 && has_value(node, is_bfloat16)) {
    throw sy::unsupported(SY_REASON_OS,
                          "bfloat16 needs macOS 14 and a GPU of family Apple 6 or later");
  }
  check_sizes(node);
  if (candidate.row->check != nullptr) candidate.row->check(node);
}

}  // namespace

Traits traits_of(const seam::DeviceInfo& info) {
  return {info.bfloat16, info.simd_width == 32, info.widest_product, info.widest_convolution};
}

// A table for each set of traits that changes what must be asked.
const sy::ClaimTable& all_claims(Traits traits) {
  using Tables = std::array<sy::ClaimTable, 8>;
  static const auto& tables = *new const Tables([] {
    Tables made;
    for (size_t i = 0; i < made.size(); ++i) {
      const int64_t widest = (i & 4) != 0 ? seam::unlimited : 0;
      made[i] = make_claims({(i & 1) != 0, (i & 2) != 0, widest, widest});
    }
    return made;
  }());
  return tables[(traits.bfloat16 ? 1u : 0u) + (traits.lanes_of_32 ? 2u : 0u) +
                (traits.has_wide_graphs() ? 4u : 0u)];
}

const KernelRow& select_row(const sy::Node& node, Traits traits) {
  const auto found = candidates_by_op().find(node.op());
  if (found == candidates_by_op().end()) {
    throw sy::unsupported(SY_REASON_OP, "no kernel for ", node.op());
  }
  sy::NearestRefusal nearest;
  for (const Candidate& candidate : found->second) {
    if (nearest.tries([&] { check(candidate, node, traits); })) return *candidate.row;
  }
  nearest.throw_refusal(node.op());
}

void check_graph(const KernelRow& row, const sy::Node& node, Traits traits) {
  if (row.make != nullptr || has_value(node, is_unknown) || makes_nothing(node)) return;
  require_elements(node);
  GraphBuilder graph(traits);
  row.lower(graph, node);
}

const KernelRow* select_graph_row(const sy::Node& node) {
  const auto found = candidates_by_op().find(node.op());
  if (found == candidates_by_op().end()) return nullptr;
  sy::NearestRefusal unsaid;
  for (const Candidate& candidate : found->second) {
    if (candidate.row->lower == nullptr) continue;
    if (unsaid.tries([&] { check(candidate, node, {}); })) return candidate.row;
  }
  return nullptr;
}

Prepared prepared_by(const KernelRow& row, Device& device, const sy::Node& node) {
  if (row.make != nullptr) return row.make(device, node);
  // The shapes may not have been known when the node was claimed.
  if (makes_nothing(node)) return {std::make_unique<Nothing>(), SY_ON_SHAPE | SY_ON_DATA, {}};
  require_elements(node);
  return make_by_graph(device, node, row.lower);
}

}  // namespace mps
