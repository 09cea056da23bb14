// Devices whose SIMD groups have other than 32 lanes are given no kernel that is written for 32,
// and older systems no graph that they compute wrongly.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "ops/building/graph_builder.hpp"
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
      positions_.push_back(static_cast<uint32_t>(values_.size()));
      values_.push_back(value);
    }
    node_.domain = "";
    node_.op = op;
    node_.version = version;
    node_.inputs = positions_.data();
    node_.input_count = static_cast<uint32_t>(positions_.size()) - 1;
    node_.outputs = &positions_.back();
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
  std::vector<uint32_t> positions_;
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

constexpr Traits older = {.widest_product = 32768, .widest_convolution = 65536};

// What is said of the node and its graph.
std::string refusal(const OneNode& node, Traits traits = older) {
  try {
    check_graph(select_row(node.node(), traits), node.node(), traits);
    return "nothing";
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.status(), SY_UNSUPPORTED);
    EXPECT_EQ(failure.reason(), SY_REASON_OS);
    return failure.what();
  }
}

TEST(OlderSystems, MakeNoWideProducts) {
  const OneNode wide("MatMul", 13, {{16, 64}, {64, 32769}, {16, 32769}});
  EXPECT_EQ(refusal(wide),
            "products of matrices with an extent of 32769: MPSGraph computes them wrongly above "
            "32768 before macOS 14.4");
  EXPECT_EQ(refusal(wide, {}), "nothing");
  EXPECT_NE(refusal(OneNode("MatMul", 13, {{16, 32769}, {32769, 16}, {16, 16}})), "nothing");
  EXPECT_NE(refusal(OneNode("Gemm", 13, {{32769, 16}, {16, 16}, {32769, 16}})), "nothing");
  EXPECT_EQ(refusal(OneNode("MatMul", 13, {{16, 64}, {64, 32768}, {16, 32768}})), "nothing");
  // A batch may be of any extent, and our own kernel makes products of few rows.
  EXPECT_EQ(refusal(OneNode("MatMul", 13, {{40000, 9, 9}, {9, 9}, {40000, 9, 9}})), "nothing");
  EXPECT_EQ(refusal(OneNode("MatMul", 13, {{2, 64}, {64, 50000}, {2, 50000}})), "nothing");
}

TEST(OlderSystems, MakeNoWideConvolutions) {
  const OneNode channels("Conv", 11, {{1, 1, 4, 4}, {65537, 1, 1, 1}, {1, 65537, 4, 4}});
  EXPECT_EQ(refusal(channels),
            "convolutions with an extent of 65537: MPSGraph computes them wrongly above 65536 "
            "before macOS 15.1");
  EXPECT_EQ(refusal(channels, {}), "nothing");
  EXPECT_NE(refusal(OneNode("Conv", 11, {{1, 1, 65537}, {1, 1, 1}, {1, 1, 65537}})), "nothing");
  EXPECT_NE(refusal(OneNode("ConvTranspose", 11, {{1, 65537, 4}, {65537, 1, 1}, {1, 1, 4}})),
            "nothing");
  EXPECT_EQ(refusal(OneNode("Conv", 11, {{1, 1, 65536}, {1, 1, 1}, {1, 1, 65536}})), "nothing");
}

TEST(OlderSystems, AreAskedAboutGraphs) {
  for (const char* op : {"Conv", "GlobalMaxPool"}) {
    EXPECT_EQ(flags_of(all_claims(older), op) & SY_CLAIM_NO_SUPPORTS_CALL, 0u) << op;
  }
  EXPECT_NE(flags_of(all_claims({}), "GlobalMaxPool") & SY_CLAIM_NO_SUPPORTS_CALL, 0u);
  EXPECT_NE(flags_of(all_claims(older), "Relu") & SY_CLAIM_NO_SUPPORTS_CALL, 0u);
}

// In a program such a node is not a part of a graph either.
TEST(OlderSystems, LeaveWideProductsOutOfGraphs) {
  const OneNode wide("MatMul", 13, {{16, 64}, {64, 32769}, {16, 32769}});
  const KernelRow& row = select_row(wide.node(), older);
  GraphBuilder graph(older);
  EXPECT_THROW(row.lower(graph, wide.node()), sy::Failure);
  GraphBuilder trusted{Traits()};
  EXPECT_NO_THROW(row.lower(trusted, wide.node()));
}

}  // namespace
}  // namespace mps::op_tests
