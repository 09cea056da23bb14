// The option `profile`: what the device's report says of times.
#include "runtime/profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "node.hpp"

namespace mps::runtime_tests {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int64_t count = 20'000;

void work(const OpenDevice& device) {
  const OpenStream stream(device);
  const std::vector<Input> inputs = {input(contiguous({count}), std::vector<float>(count, 1.0f))};
  Node relu(device, "Relu", 14), negate(device, "Neg", 13);
  relu.prepare(inputs, SY_FLOAT32, {count});
  negate.prepare(inputs, SY_FLOAT32, {count});
  for (int i = 0; i < 3; ++i) relu.run<float>(stream, inputs, contiguous({count}));
  negate.run<float>(stream, inputs, contiguous({count}));
}

// The milliseconds of a line of the report; below 0: there is no such line.
double milliseconds_of(const std::string& report, const std::string& what) {
  std::smatch found;
  if (!std::regex_search(report, found, std::regex(what + ", ([0-9.]+) ms"))) return -1;
  return std::stod(found[1]);
}

TEST(MpsProfile, CountsAndTimesOpsAndCommandBuffers) {
  const OpenDevice device({OpenDevice::Option{"profile", nullptr, 1, true}});
  work(device);
  const std::string report = device.report();
  const double whole = milliseconds_of(report, "time: [0-9]+ command buffers");
  const double relu = milliseconds_of(report, "Relu: 3 times");
  const double negate = milliseconds_of(report, "Neg: 1 times");
  const double download = milliseconds_of(report, "download: 4 times");
  EXPECT_GT(relu, 0) << report;
  EXPECT_GT(negate, 0) << report;
  EXPECT_GE(download, 0) << report;
  EXPECT_GE(whole + 0.01, relu + negate + download) << report;  // of rounding
  EXPECT_THAT(report, Not(HasSubstr("not timed")));
  EXPECT_THAT(report, HasSubstr("memory: "));
}

TEST(MpsProfile, IsOffUnlessAskedFor) {
  const OpenDevice device;
  work(device);
  EXPECT_THAT(device.report(), Not(HasSubstr("time: ")));
  EXPECT_THAT(device.report(), Not(HasSubstr("Relu")));
}

TEST(MpsProfile, TheLongestComesFirstAndSumsAdd) {
  Profile profile;
  const std::vector<std::string> names{"Add", "MatMul", "Add"};
  const std::vector<seam::Interval> sections{{0, 0.001}, {0.001, 0.006}, {0.006, 0.008}};
  profile.add({0, 0.009}, names, sections);
  profile.add({1, 1.001}, {}, {});
  EXPECT_EQ(profile.text(),
            "time: 2 command buffers, 10.000 ms of the device\n"
            "  MatMul: 1 times, 5.000 ms\n"
            "  Add: 2 times, 3.000 ms\n");
}

TEST(MpsProfile, WhatADeviceCannotTellApartIsCounted) {
  Profile profile;
  const std::vector<std::string> names{"Add", "Add"};
  profile.add({0, 0.009}, names, {});
  EXPECT_THAT(profile.text(), HasSubstr("time: 1 command buffers, 9.000 ms"));
  EXPECT_THAT(profile.text(), HasSubstr("Add: 2 times, 0.000 ms"));
  EXPECT_THAT(profile.text(), HasSubstr("(2 of these are counted but not timed: "));
}

}  // namespace
}  // namespace mps::runtime_tests
