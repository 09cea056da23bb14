// A node as a test has described it, and its kernel.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "harness/harness.hpp"

namespace cpu::testing {

struct OneNode::State {
  struct Attribute {
    std::string name;
    sy_attribute_kind kind;
    std::vector<int64_t> integers;
    std::vector<float> reals;
    std::vector<std::string> texts;
    std::vector<const char*> text_pointers;
    Value tensor;
    sy_value tensor_value;
  };
  struct Operand {
    bool present = true;
    uint32_t flags = 0;
    uint64_t constant_id = 0;
    bool deferred = false;
    int over = -1;  // an output: the input whose memory it writes
    Value value;
  };

  std::string op, domain;
  uint32_t version = 0;
  uint32_t math_flags = 0;
  bool hide_shapes = false;
  bool accept_strides = false;
  std::deque<Attribute> attributes;
  std::deque<Operand> inputs, outputs;
  sy_kernel kernel = nullptr;
  std::vector<sy_constant> constants;
  Value workspace;
  uint64_t workspace_bytes = 0;
  std::vector<sy_tensor> input_tensors, output_tensors;
  std::vector<int64_t*> extents;
  sy_output_allocator allocator{};
  sy_run_args args{};  // of the last run, for run_again

  // The description; rebuilt by describe().
  std::vector<sy_value> values;
  std::vector<Shape> hidden;
  std::vector<sy_attribute> raw_attributes;
  std::vector<uint32_t> node_inputs, node_outputs, program_inputs, program_outputs;
  sy_node node{};
  sy_program program{};

  void describe();
  void describe_attributes();
  uint32_t describe_operand(const Operand& operand);
  void prepare();
  void run();
  bool claimed() const;
};

}  // namespace cpu::testing
