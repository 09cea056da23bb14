// What is beyond 32 bits is refused with a reason and a sentence: before a run by shapes alone, and
// by the run. Nothing here is as large as it says.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ops/data.hpp"
#include "programs/model.hpp"
#include "runtime/node.hpp"

namespace mps::op_tests {
namespace {

using program_tests::Id;
using program_tests::Model;
using runtime_tests::contiguous;
using runtime_tests::Input;
using runtime_tests::Node;
using runtime_tests::OpenDevice;
using runtime_tests::OpenStream;

constexpr int64_t large = 1 << 16;

// A model whose inputs have no elements: it is asked about, not run.
class Described {
 public:
  template <typename T = float>
  Id of(const Shape& shape) {
    return model_.input<T>(contiguous(shape), {});
  }
  Model& operator*() { return model_; }
  sy_verdict verdict(const OpenDevice& device) { return model_.verdicts(device).front(); }

 private:
  Model model_;
};

struct Huge {
  const char* name;
  std::function<void(Described&)> build;
};

class HugeTensors : public testing::TestWithParam<Huge> {
 protected:
  const OpenDevice device_;
};

// A binary op's result; products of small factors; an input of which little is read; an output; a
// view; what a graph has in between.
const Huge huge[] = {
    {"Input",
     [](Described& d) { (*d).node("Relu", {d.of({int64_t{1} << 31})}, {int64_t{1} << 31}); }},
    {"Product64",
     [](Described& d) {
       const Shape shape{int64_t{1} << 31, int64_t{1} << 31, 4};  // 2^64
       (*d).node("Relu", {d.of(shape)}, shape);
     }},
    {"Broadcast",
     [](Described& d) {
       (*d).node("Add", {d.of({large, 1}), d.of({1, large})}, {large, large});
     }},
    {"Where",
     [](Described& d) {
       const Id when = (*d).input<uint8_t>(contiguous({large, 1}), {});
       (*d).node("Where", {when, d.of({large}), d.of({1})}, {large, large}, {}, SY_FLOAT32);
     }},
    {"SmallMatMul",
     [](Described& d) {
       (*d).node("MatMul", {d.of({large, 4}), d.of({4, large})}, {large, large});
     }},
    {"MatMul",
     [](Described& d) {
       (*d).node("MatMul", {d.of({large, 64}), d.of({64, large})}, {large, large});
     }},
    {"Conv",
     [](Described& d) {
       (*d).node("Conv", {d.of({1, 1, large, large}), d.of({1, 1, 1, 1})}, {1, 1, large, large});
     }},
    {"ConvChannels",
     [](Described& d) {
       (*d).node("Conv", {d.of({1, 1, 256, 256}), d.of({large, 1, 1, 1})}, {1, large, 256, 256});
     }},
    {"MaxPool",
     [](Described& d) {
       (*d).node("MaxPool", {d.of({1, large, 256, 256})}, {1, large, 1, 1},
                 {{"kernel_shape", Numbers{256, 256}}});
     }},
    {"Gather",
     [](Described& d) {
       (*d).node("Gather", {d.of({1 << 20, 4096}), d.of<int64_t>({1})}, {1, 4096});
     }},
    {"ScatterND",
     [](Described& d) {
       (*d).node("ScatterND", {d.of({large, large}), d.of<int64_t>({1, 1}), d.of({1, large})},
                 {large, large});
     }},
    {"ReduceSum",
     [](Described& d) {
       (*d).node("ReduceSum", {d.of({large, large}), (*d).host({0, 1})}, {1, 1});
     }},
    {"ArgMax",
     [](Described& d) {
       (*d).node("ArgMax", {d.of({large, large})}, {1, large}, {}, SY_INT64);
     }},
    {"Softmax",
     [](Described& d) {
       (*d).node("Softmax", {d.of({large, large})}, {large, large});
     }},
    {"TopK",
     [](Described& d) {
       (*d).node_of_many("TopK", {d.of({large, large}), (*d).host({1})}, {{large, 1}, {large, 1}},
                         {}, {SY_FLOAT32, SY_INT64});
     }},
    {"Concat",
     [](Described& d) {
       const int64_t part = 1 << 30;
       (*d).node("Concat", {d.of({part}), d.of({part})}, {2 * part}, {{"axis", int64_t{0}}});
     }},
    {"Cast",
     [](Described& d) {
       (*d).node("Cast", {d.of({large, large})}, {large, large}, {}, SY_FLOAT16);
     }},
    {"Transpose",
     [](Described& d) {
       (*d).node("Transpose", {d.of({large, large})}, {large, large});
     }},
    {"EinsumBetween",
     [](Described& d) {
       const std::string equation = "ab,cd,abcd->a";
       (*d).node("Einsum", {d.of({256, 256}), d.of({256, 256}), d.of({256, 256, 256, 1})}, {256},
                 {{"equation", equation}});
     }},
};

INSTANTIATE_TEST_SUITE_P(Of, HugeTensors, testing::ValuesIn(huge),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(HugeTensors, AreRefusedByTheirShapes) {
  Described described;
  GetParam().build(described);
  const sy_verdict verdict = described.verdict(device_);
  EXPECT_EQ(verdict.kind, SY_REFUSED);
  EXPECT_EQ(verdict.reason, SY_REASON_LIMIT);
  EXPECT_NE(std::string(verdict.message).find("2147483647 elements at most"), std::string::npos)
      << verdict.message;
}

TEST(Limits, TakeOneElementLess) {
  const OpenDevice device;
  Described described;
  const Shape shape{(int64_t{1} << 31) - 1};
  (*described).node("Relu", {described.of(shape)}, shape);
  EXPECT_EQ(described.verdict(device).kind, SY_SUPPORTED);
}

// ---- By the run: the shapes and the views that a kernel gets were not known before.

class LimitedRuns : public testing::Test {
 protected:
  // What a run says whose first input lies so in a small storage.
  std::string refusal(Node& node, const std::vector<Input>& inputs, const Shape& result,
                      const Shape& shape, const Shape& strides) {
    node.prepare(inputs, SY_FLOAT32, result);
    std::deque<runtime_tests::Placed> placed;
    std::vector<sy_tensor> tensors;
    for (const Input& input : inputs) {
      placed.emplace_back(stream_, input.dtype, input.view);
      tensors.push_back(placed.back().tensor());
    }
    placed.emplace_back(stream_, SY_FLOAT32, contiguous(result));
    tensors[0].shape = shape.data();
    tensors[0].strides = strides.data();
    try {
      node.enqueue(stream_, tensors, placed.back().tensor());
    } catch (const sy::Failure& failure) {
      EXPECT_EQ(failure.status(), SY_UNSUPPORTED);
      EXPECT_EQ(failure.reason(), SY_REASON_LIMIT);
      return failure.what();
    }
    return "nothing";
  }

  const OpenDevice device_;
  const OpenStream stream_{device_};
  const std::vector<Input> table_{runtime_tests::input(contiguous({4, 2}), Floats(8)),
                                  runtime_tests::input(contiguous({1}), std::vector<int64_t>{0})};
};

TEST_F(LimitedRuns, OfATableOfMoreElements) {
  Node gather(device_, "Gather", 13);
  EXPECT_EQ(refusal(gather, table_, {1, 2}, {int64_t{1} << 31, 2}, {2, 1}),
            "a tensor of shape [2147483648, 2]: this device takes 2147483647 elements at most");
}

// The axis that is gathered along is not a part of the walk.
TEST_F(LimitedRuns, OfATableThatReachesFurther) {
  Node gather(device_, "Gather", 13);
  EXPECT_EQ(refusal(gather, table_, {1, 2}, {4, 2}, {2147483647, 1}),
            "a view that ends at element 6442450942 of its storage: this device reaches 4294967295 "
            "at most");
}

TEST_F(LimitedRuns, OfAFactorThatReachesFurther) {
  Node product(device_, "MatMul", 13);
  const std::vector<Input> factors{runtime_tests::input(contiguous({4, 2}), Floats(8)),
                                   runtime_tests::input(contiguous({2, 1}), Floats(2))};
  EXPECT_EQ(refusal(product, factors, {4, 1}, {4, 2}, {2147483647, 1}),
            "a view that ends at element 6442450942 of its storage: this device reaches 4294967295 "
            "at most");
}

}  // namespace
}  // namespace mps::op_tests
