// Outputs whose size only the run shows: bounded ones are cut to what was written, deferred ones
// take their storage while they run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <switchyard/functions.hpp>
#include <switchyard/streams.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

class DataDependentOutputs : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start({{GetParam(), "cpu"}});
  Operation nonzero = runtime.operation("NonZero");
};

TEST_P(DataDependentOutputs, HaveTheShapeThatTheRunShowed) {
  const Tensor found = nonzero(floats({2, 3}, {0, 5, 0, 7, 0, 9}));
  EXPECT_EQ(found.device().name(), std::string(GetParam()) + ":0");
  EXPECT_EQ(found.shape(), (Dims{2, 3}));
  EXPECT_EQ(found.to_vector<std::int64_t>(), (Integers{0, 1, 1, 1, 0, 2}));
}

TEST_P(DataDependentOutputs, MayBeEmpty) {
  const Tensor found = nonzero(floats({4}, {0, 0, 0, 0}));
  EXPECT_EQ(found.shape(), (Dims{1, 0}));
  EXPECT_TRUE(found.to_vector<std::int64_t>().empty());
}

TEST_P(DataDependentOutputs, MayBeAsLargeAsCanBe) {
  EXPECT_EQ(nonzero(floats({3}, {1, 2, 3})).to_vector<std::int64_t>(), (Integers{0, 1, 2}));
}

TEST_P(DataDependentOutputs, AreInputsLikeAnyOther) {
  const Tensor found = nonzero(floats({2, 3}, {0, 5, 0, 7, 0, 9}));
  EXPECT_EQ(runtime.operation("Neg")(found).to_vector<std::int64_t>(),
            (Integers{0, -1, -1, -1, 0, -2}));
  EXPECT_EQ(runtime.operation("Transpose")(found).to_vector<std::int64_t>(),
            (Integers{0, 1, 1, 0, 1, 2}));
}

TEST_P(DataDependentOutputs, DifferFromCallToCallOfOneRoute) {
  EXPECT_EQ(nonzero(floats({3}, {1, 0, 0})).shape(), (Dims{1, 1}));
  EXPECT_EQ(nonzero(floats({3}, {1, 0, 2})).shape(), (Dims{1, 2}));
}

// Elements would go to one storage, and be read from the other.
TEST(DeferredOutput, IsAllocatedOnceAndWithExtentsThatThereCanBe) {
  for (const char* fake : {"deferred_twice", "deferred_negative"}) {
    const Runtime runtime = start({{fake, "cpu"}});
    const Error error = error_of([&] { runtime.operation("NonZero")(floats({3}, {1, 0, 2})); });
    EXPECT_THAT(error.what(), testing::HasSubstr("run: the host gave no storage")) << fake;
  }
}

// Its extents say what the values were, and there are none.
TEST(DeferredOutput, OfWorkThatFailedOnAnotherStreamIsAnError) {
  const Runtime runtime =
      start({{"late"},
             "",
             fmt::format("[plugins.late.options]\nkernels = \"{}\"\nmemory = \"address\"\n"
                         "imports_host_memory = true\ncaches_memory = true\nlate = 1000\n",
                         plugin_library("cpu").string()),
             {},
             {"late"}});
  const Device device = runtime.default_device();
  Floats values{1, 2};
  const Tensor x = Tensor::borrow(std::span(values), {2}, [] {}, {.device = device});
  const Stream side(device);
  Tensor failed;
  {
    const StreamScope here(side);
    failed = relu(x);
  }
  EXPECT_THROW((void)runtime.operation("NonZero")(failed).to_vector<std::int64_t>(), Error);
}

TEST(BoundedOutput, HasExtentsThatThePluginTellsAndThatThereCanBe) {
  {
    const Runtime runtime = start({{"bounded_untold", "cpu"}});
    const Error error = error_of([&] { runtime.operation("NonZero")(floats({3}, {1, 0, 2})); });
    EXPECT_EQ(error.kind(), ErrorKind::plugin);
    EXPECT_THAT(error.what(), testing::HasSubstr("output 0 reports extent -1 beyond its bound"));
  }
  const Runtime runtime = start({{"loses_a_row", "cpu"}});
  const Error error = error_of([&] { runtime.operation("Relu")(floats({3}, {1, 0, 2})); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  EXPECT_THAT(error.what(), testing::HasSubstr("loses_a_row:0: run: output 0 of [Relu] reports the "
                                               "shape [2], but has [3]"));
}

// It is not a tensor of the user's that is too large.
TEST(BoundedOutput, WhoseBoundPassesTheLimitIsTheDevicesWish) {
  const Runtime runtime = start({{"good"}, "", "[limits]\nvalue_bytes = 16\n"});
  const Error error = error_of([&] { runtime.operation("NonZero")(floats({3}, {1, 0, 2})); });
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), testing::HasSubstr("good:0 refused (MEMORY): wants 24 bytes for output "
                                               "0, however few that turns out to need, more than "
                                               "limits.value_bytes, 16"));
}

TEST(Workspace, ThatPassesTheLimitSendsTheOpToTheNextDevice) {
  const Runtime runtime =
      start({{"workspace", "cpu"}, "fallback = \"allow\"", "[limits]\nvalue_bytes = 999\n"});
  EXPECT_EQ(runtime.operation("Relu")(floats({2}, {-1, 2})).device().name(), "cpu:0");
  EXPECT_EQ(runtime.fallbacks().at(0).reason,
            "its kernel wants a workspace of 1000 bytes, more than limits.value_bytes, 999");
}

TEST(Output, ThatPassesTheLimitIsRefusedBeforeAKernelIsPrepared) {
  const Runtime runtime = start({{"workspace"}, "", "[limits]\nvalue_bytes = 7\n"});
  const Error error = error_of([&] { runtime.operation("Relu")(floats({2}, {-1, 2})); });
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), testing::HasSubstr("a tensor of 8 bytes passes the limit of 7 bytes"));
}

INSTANTIATE_TEST_SUITE_P(Devices, DataDependentOutputs,
                         testing::Values("good", "asynchronous", "opaque", "deferred", "cpu"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace switchyard
