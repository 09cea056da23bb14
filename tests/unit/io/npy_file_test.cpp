// .npy files as Tensors; npy_test.cpp has the format itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/io.hpp>

#include "io/error_line.hpp"
#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(NpyFileTest, ReadsBackATensor) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.npy";
  save_npy(path, host_tensor<float>({2, 1}, {1.5F, -2}));
  const Tensor back = load_npy(path);
  EXPECT_EQ(back.shape(), (Dims{2, 1}));
  EXPECT_EQ(back.device().name(), "host");
  EXPECT_THAT(back.to_vector<float>(), ElementsAre(1.5F, -2));
}

// numpy.save("f.npy", numpy.asfortranarray(numpy.array([[1, 2], [3, 4]], ">i2")), of numpy 1.24
TEST(NpyFileTest, ReadsAFileOfNumpy) {
  const TemporaryFolder folder;
  std::string header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }";
  header.resize(117, ' ');
  write_bytes(folder.path() / "f.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
                                           "\n" + std::string("\0\1\0\3\0\2\0\4", 8));
  EXPECT_THAT(load_npy(folder.path() / "f.npy").to_vector<std::int16_t>(), ElementsAre(1, 2, 3, 4));
}

TEST(NpyFileTest, NamesTheFileThatItCannotReadOrWrite) {
  EXPECT_THAT(error_line([] { load_npy("/nowhere/a.npy"); }),
              HasSubstr("/nowhere/a.npy: cannot read it: No such file"));
  EXPECT_THAT(error_line([] { save_npy("/nowhere/a.npy", host_tensor<float>({1}, {1})); }),
              HasSubstr("/nowhere/a.npy: cannot write it: No such file"));
}

}  // namespace
}  // namespace switchyard
