// What the command line says of inputs and extents.
#include <gtest/gtest.h>

#include <filesystem>
#include <switchyard/error.hpp>

#include "cli/arguments/assignment.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/values/host_values.hpp"
#include "cli/values/input_values.hpp"
#include "cli/values/output_files.hpp"
#include "cli/values/random_input.hpp"
#include "io/doubles.hpp"
#include "io/npy.hpp"
#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard::cli {
namespace {

template <typename Function>
std::string usage_error(Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(exit_code_for(error.kind()), kUsage);
    return error.what();
  }
  return "no error";
}

Port port(const std::string& name, Dims shape, std::vector<std::string> dim_names = {}) {
  Port port;
  port.name = name;
  port.dtype = DType::float32;
  port.shape = std::move(shape);
  port.dim_names = std::move(dim_names);
  return port;
}

TEST(Assignment, SplitsAtTheFirstSign) {
  EXPECT_EQ(read_assignment("--input", "x=a=b.npy"),
            std::make_pair(std::string("x"), std::string("a=b.npy")));
  for (const char* text : {"x", "=x", "x=", ""}) {
    EXPECT_EQ(usage_error([&] { read_assignment("--input", text); }),
              std::string("--input: '") + text + "' is not NAME=VALUE");
  }
}

TEST(Assignment, DimsAreIntegers) {
  EXPECT_EQ(read_dims({"batch=2", "time=0"}),
            (std::map<std::string, std::int64_t>{{"batch", 2}, {"time", 0}}));
  EXPECT_EQ(usage_error([] { read_dims({"n=1.5"}); }),
            "--dim n: '1.5' is not an integer from 0 to 9223372036854775807");
  EXPECT_EQ(usage_error([] { read_dims({"n=99999999999999999999"}); }),
            "--dim n: '99999999999999999999' is not an integer from 0 to 9223372036854775807");
  EXPECT_EQ(usage_error([] { read_dims({"n=-1"}); }),
            "--dim n: '-1' is not an integer from 0 to 9223372036854775807");
  EXPECT_EQ(usage_error([] { read_dims({"n=1", "n=1"}); }), "--dim n: given twice; drop one");
}

TEST(InputValues, RandomOnesFillFreeExtentsWithOne) {
  const auto values = input_values({port("x", {-1, 3}, {"batch", ""})}, {{}, 1});
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].tensor.shape(), (Dims{1, 3}));
}

TEST(InputValues, RandomOnesFollowTheExtentsOfFiles) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "input.npy";
  write_npy(file, random_literal(DType::float32, {5, 2}, 1));
  const auto values =
      input_values({port("x", {-1, 3}, {"batch", ""}), port("y", {-1, 2}, {"batch", ""})},
                   {{"y=" + file.string()}, 1});
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].name, "y");
  EXPECT_EQ(values[1].tensor.shape(), (Dims{5, 3}));
}

TEST(InputValues, NameWhatIsMissingOrUnknown) {
  EXPECT_EQ(usage_error([] { input_values({port("x", {1})}, {}); }),
            "input 'x' is missing; give --input x=FILE.npy, or --random SEED");
  EXPECT_EQ(usage_error([] {
              input_values({port("x", {1})}, {{"z=f.npy"}, {}});
            }),
            "--input: the model has no input 'z'; its inputs are: x");
}

TEST(InputValues, OptionalOnesMayBeLeftOut) {
  Port optional = port("x", {1});
  optional.required = false;
  EXPECT_TRUE(input_values({optional}, {}).empty());
}

TEST(RandomInput, IsTheSameForTheSameSeed) {
  const Literal a = random_literal(DType::float32, {1000}, 7);
  const Literal b = random_literal(DType::float32, {1000}, 7);
  const Literal c = random_literal(DType::float32, {1000}, 8);
  EXPECT_TRUE(std::equal(a.bytes(), a.bytes() + a.size_bytes(), b.bytes()));
  EXPECT_FALSE(std::equal(a.bytes(), a.bytes() + a.size_bytes(), c.bytes()));
}

TEST(RandomInput, StaysInItsRange) {
  for (DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
    const Extremes extremes = extremes_of(to_doubles(random_literal(dtype, {10000}, 1)));
    EXPECT_GE(extremes.smallest, 0);
    EXPECT_LT(extremes.largest, 1);
    EXPECT_NEAR(extremes.mean, 0.5, 0.02);
  }
  for (DType dtype : {DType::int8, DType::int32, DType::int64, DType::uint16}) {
    const Extremes extremes = extremes_of(to_doubles(random_literal(dtype, {10000}, 1)));
    EXPECT_EQ(extremes.smallest, 0);
    EXPECT_EQ(extremes.largest, 9);
  }
  EXPECT_EQ(extremes_of(to_doubles(random_literal(DType::int4, {1000}, 1))).largest, 7);
  EXPECT_EQ(extremes_of(to_doubles(random_literal(DType::bool_, {1000}, 1))).largest, 1);
}

TEST(OutputFiles, AreNamedAfterTheOutput) {
  EXPECT_EQ(file_name_for("logits", 0), "logits.npy");
  EXPECT_EQ(file_name_for("model/out:0", 1), "model_out_0_2.npy");
  EXPECT_EQ(file_name_for("..", 0), "_...npy");
  EXPECT_EQ(file_name_for("", 0), "_.npy");
}

TEST(OutputFiles, AreTriedBeforeTheRun) {
  const TemporaryFolder temporary;
  const auto folder = temporary.path() / "outputs";
  prepare_output_files({port("logits", {1}), port("a/b", {1})}, folder.string());
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  const std::string longest(300, 'x');
  EXPECT_EQ(
      usage_error([&] { prepare_output_files({port(longest, {1})}, folder.string()); }),
      "--output-dir: " + (folder / longest).string() + ".npy: cannot write it: File name too long");
  std::filesystem::create_directory(folder / "taken.npy");
  EXPECT_EQ(
      usage_error([&] { prepare_output_files({port("taken", {1})}, folder.string()); }),
      "--output-dir: " + (folder / "taken.npy").string() + ": cannot write it: Is a directory");
}

TEST(OutputFiles, SequencesAreWrittenOneByOneAndNamesTakenGetANumber) {
  const TemporaryFolder temporary;
  const auto folder = temporary.path() / "outputs";
  const Tensor tensor = host_tensor<float>({2}, std::vector<float>{1, 3});
  NamedValue sequence;
  sequence.name = "s";
  sequence.is_sequence = true;
  sequence.sequence = {tensor, tensor};
  const std::vector<NamedValue> outputs = {
      {"a/b", tensor}, {"a:b", tensor}, {"none", {}}, sequence};
  std::vector<OutputSummary> summaries = describe_outputs(outputs);
  prepare_output_files({}, folder.string());
  write_outputs(outputs, folder.string(), summaries);
  ASSERT_EQ(summaries.size(), 5u);
  EXPECT_EQ(summaries[0].file, (folder / "a_b.npy").string());
  EXPECT_EQ(summaries[1].file, (folder / "a_b_2.npy").string());
  EXPECT_FALSE(summaries[2].is_present);
  EXPECT_EQ(summaries[4].name, "s[1]");
  EXPECT_EQ(summaries[4].extremes.mean, 2);
  EXPECT_EQ(to_doubles(read_npy(summaries[4].file)), (std::vector<double>{1, 3}));
}

}  // namespace
}  // namespace switchyard::cli
