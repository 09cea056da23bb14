// What elementwise ops tell the device to run: a thread for several elements, and which variant of
// a kernel for which layouts.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "node.hpp"
#include "recording_device.hpp"
#include "software_device.hpp"

namespace mps::runtime_tests {
namespace {

const std::shared_ptr<Notes>& notes() {
  static const auto kept = std::make_shared<Notes>();
  return kept;
}

// Opens every device of a test on one that notes.
class Recording {
 public:
  Recording() {
    OpenDevice::stand_in = [] {
      return seam::Ref<seam::Device>(std::make_shared<RecordingDevice>(open_software(), notes()));
    };
  }
  ~Recording() { OpenDevice::stand_in = nullptr; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
};

class RecordedDispatches : public testing::Test {
 protected:
  // "dense 250 x 1", of the only dispatch of a kernel.
  template <typename T>
  std::string recorded(const std::string& op, const std::string& function,
                       const std::vector<View>& views, const View& output) {
    Node node(device_, op, 14);
    std::vector<Input> inputs;
    for (const View& view : views) {
      inputs.push_back(input(view, std::vector<T>(static_cast<size_t>(view.count()), T(1))));
    }
    node.prepare(inputs, sy::dtype_of<T>, output.shape);
    notes()->take();
    node.run<T>(stream_, inputs, output);
    std::string text;
    for (const Noted& noted : notes()->take()) {
      if (noted.function != function) continue;
      if (!text.empty()) return "several";
      text = std::get<bool>(noted.constants.at(0).second) ? "dense " : "strided ";
      text += std::to_string(noted.threads[0]) + " x " + std::to_string(noted.threads[1]);
    }
    return text;
  }

  template <typename T>
  std::string sum(const std::string& function, const View& left, const View& right,
                  const View& output) {
    return recorded<T>("Add", function, {left, right}, output);
  }

  const Recording recording_;
  const OpenDevice device_;
  const OpenStream stream_{device_};
};

const Shape rows{40, 25};

TEST_F(RecordedDispatches, OfDenseOperandsAreOneLine) {
  const View dense = contiguous(rows), later = shifted(rows);
  EXPECT_EQ(sum<float>("binary_float", dense, dense, dense), "dense 250 x 1");
  EXPECT_EQ(sum<float>("binary_float", later, dense, later), "dense 250 x 1");
  const View odd = contiguous({1001});
  EXPECT_EQ(sum<float>("binary_float", odd, odd, odd), "dense 251 x 1");
  const View one = contiguous({});
  EXPECT_EQ(sum<float>("binary_float", one, one, one), "dense 1 x 1");
}

TEST_F(RecordedDispatches, HoldSixteenBytesAThread) {
  const View dense = contiguous(rows);
  EXPECT_EQ(sum<uint8_t>("integer_binary_uchar", dense, dense, dense), "dense 125 x 1");
  EXPECT_EQ(sum<int16_t>("integer_binary_short", dense, dense, dense), "dense 125 x 1");
  EXPECT_EQ(sum<int32_t>("integer_binary_int", dense, dense, dense), "dense 250 x 1");
  EXPECT_EQ(sum<int64_t>("integer_binary_long", dense, dense, dense), "dense 500 x 1");
}

TEST_F(RecordedDispatches, OfOtherOperandsAreALineOfThreadsForEachOfTheirs) {
  const View dense = contiguous(rows);
  EXPECT_EQ(sum<float>("binary_float", gapped(rows), dense, dense), "strided 7 x 40");
  EXPECT_EQ(sum<float>("binary_float", dense, permuted(rows), dense), "strided 7 x 40");
  EXPECT_EQ(sum<float>("binary_float", dense, dense, sliced(rows)), "strided 7 x 40");
  EXPECT_EQ(sum<float>("binary_float", dense, contiguous({40, 1}), dense), "strided 7 x 40");
  EXPECT_EQ(sum<float>("binary_float", dense, contiguous({1}), dense), "strided 250 x 1");
}

TEST_F(RecordedDispatches, OfOneOperandAreTheSame) {
  const View dense = contiguous(rows), against = reversed(rows);
  EXPECT_EQ(recorded<float>("Relu", "unary_float", {against}, dense), "strided 250 x 1");
  EXPECT_EQ(recorded<float>("Relu", "unary_float", {gapped(rows)}, dense), "strided 7 x 40");
  EXPECT_EQ(recorded<float>("Relu", "unary_float", {dense}, dense), "dense 250 x 1");
}

}  // namespace
}  // namespace mps::runtime_tests
