// Programs of Add, Relu, MatMul and NonZero in float32: taken or refused, prepared, run.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device.hpp"
#include "switchyard/plugin/claims.hpp"
#include "switchyard/plugin/program.hpp"

namespace fake {

inline constexpr const char* kOwnDomain = "com.example.fake";

enum class OpKind { add, relu, matmul, nonzero };

sy::ClaimTable make_claims();

// Throws sy::unsupported for a node that the fake does not compute.
OpKind op_of(const sy::Node& node);

struct Step {
  OpKind kind;
  std::vector<uint32_t> inputs;  // values of the program
  uint32_t output = 0;
  PackedConstant* packed = nullptr;  // MatMul's second input, if it was packed
};

struct Kernel {
  std::vector<Step> steps;
  std::vector<uint32_t> inputs;  // values of the program
  std::vector<uint32_t> outputs;
  uint32_t value_count = 0;
  std::mutex guard;
  std::map<uint64_t, std::function<void()>> captured;  // by binding
};

std::unique_ptr<Kernel> prepare_kernel(Device& device, sy_prepare_args& args);

// Everything the work needs of a run's args, which end with the call; of a kernel that wants
// bindings, what it captured of an earlier run of the same.
std::function<void()> bind(Device& device, Kernel& kernel, const sy_run_args& args);

// What the outputs of a run take.
uint64_t output_bytes(const sy_run_args& args);

}  // namespace fake
