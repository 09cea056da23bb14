// A tensor in the memory of the device under test, with bytes beside it that no work may change.
#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/conform/plugin/placement.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "ops/literal.hpp"

namespace switchyard::cli::conform {

class TestTensor {
 public:
  /// Holds the value. The layout must be possible (`place`); of a repeated one, only the first
  /// elements along the axis are looked at.
  TestTensor(TestStream& stream, const Literal& value, const Placement& placement);
  /// Holds bytes that no result has.
  TestTensor(TestStream& stream, DType dtype, const Dims& shape, const Placement& placement);

  /// Puts other elements where the ones of now lie; without a value, such as no result has.
  void hold(TestStream& stream, const Literal& value);
  void poison(TestStream& stream);

  DType dtype() const { return dtype_; }
  const Dims& shape() const { return shape_; }
  const Dims& strides() const { return placement_.strides; }

  /// For a run: valid as long as this object.
  sy_tensor abi() const;

  /// What it holds now. `what` names it in messages. Fails the case if a byte beside the elements
  /// has changed.
  Literal read(TestStream& stream, std::string_view what) const;
  /// Whether each byte of the elements is still what the constructor without a value wrote.
  bool is_untouched(const Literal& read) const;
  /// Fails the case if any byte has changed since the constructor.
  void require_unchanged(TestStream& stream, std::string_view what) const;

  static constexpr std::byte kPoison{0x7b};

 private:
  void scatter(const Literal& value);
  std::vector<std::byte> read_checked(TestStream& stream, std::string_view what) const;

  const DType dtype_;
  const Dims shape_;
  const Placement placement_;
  std::vector<std::byte> image_;  // of the whole block, as it was written
  std::vector<bool> is_element_;  // by byte of the block
  TestStorage storage_;
};

}  // namespace switchyard::cli::conform
