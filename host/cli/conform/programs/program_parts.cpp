#include "cli/conform/programs/program_parts.hpp"

#include <algorithm>
#include <initializer_list>

#include "cli/conform/kernels/reference.hpp"
#include "cli/conform/kernels/test_kernel.hpp"

namespace switchyard::cli::conform {
namespace {

/// The first of these ops that the device takes in this type, and the reference computes.
std::optional<OpCall> first_taken(TestStream& stream, std::initializer_list<const char*> ops,
                                  const std::string& words, DType dtype) {
  for (const char* name : ops) {
    const Op* op = find_op("", name);
    if (op == nullptr) continue;
    std::optional<OpCall> call = call_of(*op, words, dtype);
    if (!call) continue;
    Refusal refusal;
    const auto kernel = TestKernel::prepare(stream, *call, {}, refusal);
    if (!kernel || !kernel->is_exact(0)) continue;
    if (reference_for(stream.device().run().plugin).compute(*call)) return call;
  }
  return std::nullopt;
}

}  // namespace

ProgramParts program_parts(TestStream& stream) {
  if (stream.device().info().max_program_nodes == 1) skip("it takes one node a program");
  for (const DType dtype : {DType::float32, DType::float16, DType::float64, DType::int32}) {
    ProgramParts parts;
    parts.dtype = dtype;
    parts.one = first_taken(
        stream, {"Relu", "Neg", "Abs", "Tanh", "Sigmoid", "Exp", "Erf", "Floor", "Identity"},
        "f3x3", dtype);
    parts.two = first_taken(stream, {"Add", "Sub", "Mul", "Max", "Min"}, "f3x3 f3x3", dtype);
    parts.product = first_taken(stream, {"MatMul"}, "f3x3 f3x3", dtype);
    if (parts.one || parts.two) return parts;
  }
  skip("it claims no elementwise op of which a program could be made");
}

std::uint32_t node_limit(const TestDevice& device, std::uint32_t least, std::uint32_t wanted) {
  const std::uint32_t most = device.info().max_program_nodes;
  if (most == 0) return wanted;
  if (most < least) skip("it takes {} nodes a program, and this one has {}", most, least);
  return std::min(most, wanted);
}

}  // namespace switchyard::cli::conform
