#include "cli/conform/devices/test_op.hpp"

#include <switchyard/plugin/claims.hpp>

#include "cli/conform/kernels/reference.hpp"
#include "cli/conform/kernels/tried_op.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr unsigned kSets = 4;

/// Values of each set: those of the example, and others of the same size.
double value_of(unsigned set, std::size_t position, double value) {
  return value + 0.25 * set + 0.125 * static_cast<double>(position % 5) * set;
}

/// Fills the op in if the device takes it and the reference computes it.
bool fill(TestStream& stream, const Op& op, DType dtype, const std::string& words, TestOp& test) {
  const std::optional<OpCall> call = call_of(op, words, dtype);
  if (!call || call->outputs.size() != 1) return false;
  Refusal refusal;
  const auto kernel = TestKernel::prepare(stream, *call, {}, refusal);
  if (!kernel || !kernel->is_exact(0)) return false;
  const Reference& reference = reference_for(stream.device().run().plugin);
  for (unsigned set = 0; set < kSets; ++set) {
    OpCall one = with_values(*call, [set](std::size_t position, double value) {
      return value_of(set, position, value);
    });
    auto expected = reference.compute(one);
    if (!expected) return false;
    test.calls.push_back(std::move(one));
    test.expected.push_back(std::move(*expected));
  }
  return true;
}

}  // namespace

void TestOp::run(TestStream& stream, const TestKernel& kernel, std::size_t which) const {
  const std::string difference =
      difference_of(kernel.run(stream, calls[which], {}), expected[which]);
  if (!difference.empty()) {
    fail("{} of {}: {}", calls[which].name(), calls[which].text(), difference);
  }
}

TestOp first_op(TestStream& stream, std::int64_t (*extent)(std::int64_t)) {
  const sy_device_info& info = stream.device().info();
  for (const DType dtype : {DType::float32, DType::float16, DType::int32, DType::float64}) {
    for (std::uint32_t i = 0; i < info.claim_count; ++i) {
      const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
      if ((claim.input_dtypes >> static_cast<int>(dtype) & 1) == 0) continue;
      for (const Op& op : all_ops()) {
        if (!sy::names_op(claim, op.row->domain, op.name()) || op.row->random) continue;
        if (op.row->runs_on != RunsOn::device) continue;
        TestOp test;
        std::string words = example_words(op);
        if (extent != nullptr) words = resized(words, extent);
        if (!words.empty() && fill(stream, op, dtype, words, test)) return test;
      }
    }
  }
  skip("no op that it claims was taken on a small example");
}

std::unique_ptr<TestKernel> prepared(TestStream& stream, const TestOp& op) {
  Refusal refusal;
  auto kernel = TestKernel::prepare(stream, op.calls.front(), {}, refusal);
  if (!kernel) fail("prepare has refused what it took before: {}", refusal.message);
  return kernel;
}

}  // namespace switchyard::cli::conform
