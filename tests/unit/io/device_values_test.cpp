// Tensors that lie in a device's memory, printed and saved.
#include <gtest/gtest.h>

#include <switchyard/io.hpp>
#include <switchyard/print.hpp>

#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

class DeviceValuesTest : public testing::Test {
 protected:
  // Its memory cannot be read by the host, so that every element has to be copied.
  Runtime runtime_ = start({.order = {"template", "cpu"}});
  Device device_ = runtime_.device("template");
};

TEST_F(DeviceValuesTest, TellTheirDeviceWhenPrinted) {
  const Tensor tensor = floats({2, 2}, {1, 2.5F, -3, 4}).to(device_);
  EXPECT_EQ(to_string(tensor),
            "tensor([[ 1.0000,  2.5000],\n"
            "        [-3.0000,  4.0000]], device='template:0')");
  EXPECT_EQ(to_string(host_tensor<std::int32_t>({1}, {7}).to(device_)),
            "tensor([7], device='template:0', dtype=int32)");
}

TEST_F(DeviceValuesTest, AreSavedFromThere) {
  const TemporaryFolder folder;
  const Tensor tensor = floats({2}, {1, -2}).to(device_);
  save_safetensors(folder.path() / "a", {{"a", tensor}});
  save_npy(folder.path() / "b", tensor);
  EXPECT_EQ(load_safetensors(folder.path() / "a").tensors.at("a").to_vector<float>(),
            (Floats{1, -2}));
  EXPECT_EQ(load_npy(folder.path() / "b").to_vector<float>(), (Floats{1, -2}));
}

}  // namespace
}  // namespace switchyard
