// DLPack capsules with a version: read-only elements, copies, and other versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <switchyard/defaults.hpp>
#include <switchyard/functions/creation.hpp>

#include "tensor/dlpack_abi.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

// A capsule as another library makes it; counts how often it is given back.
struct VersionedForeign {
  Floats data{1, 2, 3, 4};
  std::array<std::int64_t, 1> shape{4};
  int released = 0;
  DLManagedTensorVersioned capsule{};

  explicit VersionedForeign(std::uint64_t flags = 0) {
    capsule.version = {1, 0};
    capsule.flags = flags;
    DLTensor& tensor = capsule.dl_tensor;
    tensor.data = data.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = 1;
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape.data();
    capsule.manager_ctx = this;
    capsule.deleter = [](DLManagedTensorVersioned* self) {
      ++static_cast<VersionedForeign*>(self->manager_ctx)->released;
    };
  }
};

struct VersionedCapsule {
  explicit VersionedCapsule(const Tensor& tensor, bool copy = false)
      : held(tensor.to_dlpack_versioned(copy)) {}
  ~VersionedCapsule() { held->deleter(held); }
  const float* floats() const {
    return reinterpret_cast<const float*>(static_cast<const char*>(held->dl_tensor.data) +
                                          held->dl_tensor.byte_offset);
  }
  DLManagedTensorVersioned* held;
};

class VersionedDlpack : public testing::Test {
 protected:
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope{runtime};
};

TEST_F(VersionedDlpack, SharesWhatMayBeWrittenTo) {
  const Tensor x = ones({4});
  const VersionedCapsule capsule(x);
  EXPECT_EQ(capsule.held->version.major, 1U);
  EXPECT_EQ(capsule.held->flags, 0U);
  const_cast<float*>(capsule.floats())[2] = 5;
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 1, 5, 1}));
}

// What models hold as constants, and what files hold.
TEST_F(VersionedDlpack, SharesAValueOfTheHostForReading) {
  const Tensor x = counting({4});
  const VersionedCapsule one(x), other(x);
  EXPECT_EQ(one.held->flags, kDLPackReadOnly);
  EXPECT_EQ(one.floats(), other.floats()) << "not copied";
}

TEST_F(VersionedDlpack, SharesAReadOnlyTensorForReading) {
  const Floats values{1, 2};
  const Tensor x = Tensor::borrow(std::span(values), {2});
  const VersionedCapsule capsule(x);
  EXPECT_EQ(capsule.held->flags, kDLPackReadOnly);
  EXPECT_EQ(capsule.floats(), values.data());
  DLManagedTensor* unversioned = x.to_dlpack();
  const auto* copied = reinterpret_cast<const float*>(
      static_cast<const char*>(unversioned->dl_tensor.data) + unversioned->dl_tensor.byte_offset);
  EXPECT_NE(copied, values.data()) << "it cannot say that nothing may be written";
  EXPECT_EQ(copied[1], 2);
  unversioned->deleter(unversioned);
}

TEST_F(VersionedDlpack, CopiesWhereItIsAskedTo) {
  const Tensor x = ones({4});
  for (const Tensor& tensor : {x, counting({4})}) {
    const VersionedCapsule capsule(tensor, true);
    EXPECT_EQ(capsule.held->flags, kDLPackIsCopied);
    const_cast<float*>(capsule.floats())[0] = 7;
    EXPECT_NE(tensor.to_vector<float>()[0], 7);
  }
}

TEST_F(VersionedDlpack, GoesRoundForEveryTypeThatCppHas) {
  const auto goes_round = [](DType dtype, int code, int bits) {
    SCOPED_TRACE(name_of(dtype));
    const Tensor x = tensor({0., 1., 1., 0.}).to(dtype);
    DLManagedTensorVersioned* capsule = x.to_dlpack_versioned();
    EXPECT_EQ(capsule->dl_tensor.dtype.code, code);
    EXPECT_EQ(capsule->dl_tensor.dtype.bits, bits);
    const Tensor back = Tensor::from_dlpack(capsule);
    EXPECT_EQ(back.dtype(), dtype);
    EXPECT_EQ(back.to(DType::float32).to_vector<float>(), (Floats{0, 1, 1, 0}));
  };
  goes_round(DType::bool_, 6, 8);
  goes_round(DType::float16, kDLFloat, 16);
  goes_round(DType::bfloat16, kDLBfloat, 16);
  goes_round(DType::float64, kDLFloat, 64);
  goes_round(DType::int8, kDLInt, 8);
  goes_round(DType::uint64, kDLUInt, 64);
}

TEST_F(VersionedDlpack, KeepsStridesAndOffset) {
  const Tensor x = counting({3, 4}).to(runtime.device("cpu"));
  const Tensor back = Tensor::from_dlpack(x.t().narrow(0, 1, 2).to_dlpack_versioned());
  EXPECT_EQ(back.shape(), (Dims{2, 3}));
  EXPECT_EQ(back.strides(), (Dims{1, 4}));
  EXPECT_EQ(back.to_vector<float>(), (Floats{1, 5, 9, 2, 6, 10}));
  back.zero_();
  EXPECT_EQ(x.to_vector<float>(), (Floats{0, 0, 0, 3, 4, 0, 0, 7, 8, 0, 0, 11}));
}

TEST_F(VersionedDlpack, IsWrittenToUnlessItIsReadOnly) {
  VersionedForeign writable, copied(kDLPackIsCopied), read_only(kDLPackReadOnly);
  Tensor::from_dlpack(&writable.capsule).add_(1);
  Tensor::from_dlpack(&copied.capsule).add_(1);
  EXPECT_EQ(writable.data, (Floats{2, 3, 4, 5}));
  EXPECT_EQ(copied.data, (Floats{2, 3, 4, 5}));
  {
    const Tensor x = Tensor::from_dlpack(&read_only.capsule);
    const Error error = error_of([&] { x.add_(1); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("read-only"), HasSubstr("clone()")));
    EXPECT_EQ((x + 1).to_vector<float>(), (Floats{2, 3, 4, 5}));
  }
  EXPECT_EQ(read_only.data, (Floats{1, 2, 3, 4}));
  EXPECT_EQ(writable.released, 1);
  EXPECT_EQ(copied.released, 1);
  EXPECT_EQ(read_only.released, 1);
}

// Flags that a later minor version may have do not matter.
TEST_F(VersionedDlpack, OfALaterMinorVersionIsRead) {
  VersionedForeign foreign(std::uint64_t{1} << 9U);
  foreign.capsule.version = {1, 7};
  EXPECT_EQ(Tensor::from_dlpack(&foreign.capsule).to_vector<float>(), foreign.data);
  EXPECT_EQ(foreign.released, 1);
}

TEST_F(VersionedDlpack, OfAnotherMajorVersionIsGivenBackUnread) {
  for (const std::uint32_t major : {0U, 2U}) {
    VersionedForeign foreign;
    foreign.capsule.version = {major, 3};
    foreign.capsule.dl_tensor = {};
    const Error error = error_of([&] { Tensor::from_dlpack(&foreign.capsule); });
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_EQ(error.function(), "from_dlpack");
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(major) + ".3"));
    EXPECT_EQ(foreign.released, 1);
  }
}

TEST_F(VersionedDlpack, ReadsNoStrideOfASingleElement) {
  VersionedForeign foreign;
  std::int64_t extents[] = {1}, strides[] = {-1};
  foreign.capsule.dl_tensor.shape = extents;
  foreign.capsule.dl_tensor.strides = strides;
  EXPECT_EQ(Tensor::from_dlpack(&foreign.capsule).to_vector<float>(), Floats{foreign.data[0]});
}

TEST_F(VersionedDlpack, RefusesStridesThatNoTensorHas) {
  VersionedForeign foreign;
  std::int64_t stride = -1;
  foreign.capsule.dl_tensor.strides = &stride;
  const Error error = error_of([&] { Tensor::from_dlpack(&foreign.capsule); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("[from_dlpack]"), HasSubstr("negative")));
  EXPECT_EQ(foreign.released, 1);
}

TEST_F(VersionedDlpack, RefusesNoCapsule) {
  EXPECT_EQ(
      error_of([] { Tensor::from_dlpack(static_cast<DLManagedTensorVersioned*>(nullptr)); }).kind(),
      ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace switchyard
