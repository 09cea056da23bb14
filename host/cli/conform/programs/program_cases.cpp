#include "cli/conform/programs/program_cases.hpp"

#include "cli/conform/kernels/test_kernel.hpp"
#include "cli/conform/programs/program_kernel.hpp"
#include "cli/conform/programs/program_parts.hpp"

namespace switchyard::cli::conform {
namespace {

using Value = TestProgram::Value;

/// A matrix of small numbers, other ones for each seed.
Literal matrix(const ProgramParts& parts, unsigned seed) {
  std::vector<double> values;
  for (unsigned k = 0; k < 9; ++k) {
    const double value = static_cast<double>((k * 7 + seed * 5) % 13) - 6;
    values.push_back(parts.dtype == DType::int32 ? value : value * 0.25);
  }
  return literal_of(parts.dtype, ProgramParts::shape(), values);
}

Value one(TestProgram& program, const ProgramParts& parts, Value x) {
  return parts.one ? program.add_node(*parts.one, {x}) : program.add_node(*parts.two, {x, x});
}

Value two(TestProgram& program, const ProgramParts& parts, Value x, Value y) {
  if (!parts.two) skip("it claims no op of two inputs for this program");
  return program.add_node(*parts.two, {x, y});
}

/// A device, and what it takes.
struct Tried {
  explicit Tried(CaseRun& run) : device(run), stream(device), parts(program_parts(stream)) {}

  TestDevice device;
  TestStream stream;
  const ProgramParts parts;
};

/// Runs the program that `draw` makes, twice with one set of values and then with another.
template <typename Draw>
void try_program(Tried& tried, const char* what, Draw&& draw) {
  const Reference& reference = reference_for(tried.device.run().plugin);
  TestProgram first(what, reference), second(what, reference);
  draw(first, 1u);
  draw(second, 20u);
  const ProgramKernel kernel(tried.device, first);
  kernel.run(tried.stream, first, "");
  kernel.run(tried.stream, first, ", run a second time");
  kernel.run(tried.stream, second, ", with other values on the same kernel");
}

void try_chain(CaseRun& run) {
  Tried tried(run);
  const std::uint32_t length = node_limit(tried.device, 2, 9);
  try_program(tried, "a chain", [&](TestProgram& program, unsigned seed) {
    const Value x = program.add_input(matrix(tried.parts, seed));
    Value last = x;
    for (std::uint32_t node = 0; node < length; ++node) {
      const bool takes_two = node % 2 == 0 && tried.parts.two.has_value();
      last = takes_two ? two(program, tried.parts, last, x) : one(program, tried.parts, last);
    }
    program.add_output(last);
  });
}

void try_diamond(CaseRun& run) {
  Tried tried(run);
  node_limit(tried.device, 3, 3);
  try_program(tried, "a diamond", [&](TestProgram& program, unsigned seed) {
    const Value x = program.add_input(matrix(tried.parts, seed));
    const Value y = program.add_input(matrix(tried.parts, seed + 1));
    const Value left = one(program, tried.parts, x), right = two(program, tried.parts, x, y);
    program.add_output(two(program, tried.parts, left, right));
  });
}

void try_inner_output(CaseRun& run) {
  Tried tried(run);
  node_limit(tried.device, 2, 2);
  try_program(tried, "an output that a node uses", [&](TestProgram& program, unsigned seed) {
    const Value x = program.add_input(matrix(tried.parts, seed));
    const Value inner = one(program, tried.parts, x);
    program.add_output(two(program, tried.parts, inner, x));
    program.add_output(inner);
  });
}

void try_two_outputs(CaseRun& run) {
  Tried tried(run);
  node_limit(tried.device, 2, 2);
  try_program(tried, "two outputs", [&](TestProgram& program, unsigned seed) {
    const Value y = program.add_input(matrix(tried.parts, seed + 1));
    const Value x = program.add_input(matrix(tried.parts, seed));
    const Value first = one(program, tried.parts, x);
    program.add_output(two(program, tried.parts, x, y));
    program.add_output(first);
  });
}

/// Two kernels that differ in a constant alone, run in turns.
void try_constant(Tried& tried, const OpCall& call) {
  const Reference& reference = reference_for(tried.device.run().plugin);
  const std::string what = fmt::format("a constant of {}", call.name());
  TestProgram first(what, reference), second(what, reference);
  unsigned seed = 1;
  for (TestProgram* program : {&first, &second}) {
    const Value x = program->add_input(matrix(tried.parts, 1));
    const Value constant = program->add_constant(matrix(tried.parts, ++seed), next_constant_id());
    program->add_output(program->add_node(call, {one(*program, tried.parts, x), constant}));
  }
  const ProgramKernel kernel(tried.device, first), other(tried.device, second);
  kernel.run(tried.stream, first, "");
  other.run(tried.stream, second, ", a second kernel with another constant");
  kernel.run(tried.stream, first, ", the first kernel after a second one");
}

void try_program_constants(CaseRun& run) {
  Tried tried(run);
  node_limit(tried.device, 2, 2);
  if (!tried.parts.two && !tried.parts.product) skip("it claims no op of two inputs");
  if (tried.parts.two) try_constant(tried, *tried.parts.two);
  if (tried.parts.product) try_constant(tried, *tried.parts.product);
}

constexpr CaseRow kCases[] = {
    {"programs/chain", "A chain of nodes is computed, each of the one before.", try_chain},
    {"programs/diamond", "Several nodes use a value, and a node several of them.", try_diamond},
    {"programs/inner-output", "A value may be an output and the input of a node.",
     try_inner_output},
    {"programs/two-outputs", "Outputs come in the order in which the program names them.",
     try_two_outputs},
    {"programs/constants", "A node's input may be a constant; another one is another kernel's.",
     try_program_constants},
};

}  // namespace

std::span<const CaseRow> program_cases() { return kCases; }

}  // namespace switchyard::cli::conform
