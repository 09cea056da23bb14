// Devices whose SIMD groups have other than 32 lanes are given no kernel that is written for 32.
#include <gtest/gtest.h>

#include <cstring>

#include "ops/rows.hpp"
#include "runtime/table.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps::op_tests {
namespace {

constexpr Traits other_lanes = {.lanes_of_32 = false};

// A program of one node whose inputs are the values before its output.
class OneNode {
 public:
  OneNode(const char* op, uint32_t version, std::vector<std::vector<int64_t>> shapes)
      : shapes_(std::move(shapes)) {
    for (const std::vector<int64_t>& shape : shapes_) {
      auto value = runtime_tests::make_args<sy_value>();
      value.dtype = SY_FLOAT32;
      value.rank = static_cast<uint32_t>(shape.size());
      value.shape = shape.data();
      places_.push_back(static_cast<uint32_t>(values_.size()));
      values_.push_back(value);
    }
    node_.domain = "";
    node_.op = op;
    node_.version = version;
    node_.inputs = places_.data();
    node_.input_count = static_cast<uint32_t>(places_.size()) - 1;
    node_.outputs = &places_.back();
    node_.output_count = 1;
    program_.values = values_.data();
    program_.value_count = static_cast<uint32_t>(values_.size());
    program_.nodes = &node_;
    program_.node_count = 1;
  }
  OneNode(const OneNode&) = delete;
  OneNode& operator=(const OneNode&) = delete;

  sy::Node node() const { return sy::Node(program_, 0); }

 private:
  const std::vector<std::vector<int64_t>> shapes_;
  std::vector<uint32_t> places_;
  std::vector<sy_value> values_;
  sy_node node_ = runtime_tests::make_args<sy_node>();
  sy_program program_ = runtime_tests::make_args<sy_program>();
};

uint32_t flags_of(const sy::ClaimTable& claims, const char* op) {
  for (uint32_t i = 0; i < claims.size(); ++i) {
    if (std::strcmp(claims.data()[i].op, op) == 0) return claims.data()[i].flags;
  }
  ADD_FAILURE() << op << " is not claimed";
  return 0;
}

TEST(OtherLanes, LeaveSmallProductsToGraphs) {
  const OneNode product("MatMul", 13, {{1, 64}, {64, 64}, {1, 64}});
  EXPECT_EQ(select_row(product.node()).lower, nullptr);
  EXPECT_NE(select_row(product.node(), other_lanes).lower, nullptr);
}

TEST(OtherLanes, AreToldWhyThereIsNoLstm) {
  const OneNode lstm("LSTM", 14, {{2, 1, 4}, {1, 16, 4}, {1, 16, 4}, {2, 1, 1, 4}});
  try {
    select_row(lstm.node(), other_lanes);
    FAIL() << "taken";
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.reason(), SY_REASON_OS);
    EXPECT_NE(std::string(failure.what()).find("32 lanes"), std::string::npos);
  }
  EXPECT_EQ(flags_of(all_claims(other_lanes), "LSTM") & SY_CLAIM_NO_SUPPORTS_CALL, 0u);
}

}  // namespace
}  // namespace mps::op_tests
