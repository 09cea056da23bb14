#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>

#include "ops/row.hpp"
#include "ops/scalar_literal.hpp"
#include "ops/signature.hpp"
#include "types/describe.hpp"

namespace switchyard {

/// Attributes in short: `with("axis", std::int64_t{1})`.
template <typename Value, typename... More>
Attributes with(std::string_view name, Value value, More... more) {
  Attributes attributes;
  if constexpr (sizeof...(More) > 0) attributes = with(more...);
  attributes.set(name, AttributeValue(std::move(value)));
  return attributes;
}

/// One node of the catalogue's op `name`, to be inferred.
class InferOp {
 public:
  explicit InferOp(std::string_view name, Attributes attributes = {}, std::string_view domain = "")
      : op_(find_op(domain, name)), attributes_(std::move(attributes)) {
    if (!op_) throw Error(ErrorKind::internal, "no op " + std::string(name));
  }

  InferOp& input(DType dtype, Dims shape) {
    inputs_.push_back({dtype, std::move(shape)});
    return *this;
  }
  InferOp& input(Dims shape) { return input(DType::float32, std::move(shape)); }
  InferOp& input_of_unknown_rank(DType dtype = DType::float32) {
    inputs_.push_back({dtype, std::nullopt});
    return *this;
  }
  InferOp& absent() {
    inputs_.push_back({});
    return *this;
  }
  InferOp& known(Literal value) {
    literals_.push_back(std::move(value));
    const Literal& kept = literals_.back();
    inputs_.push_back({kept.dtype(), kept.shape(), &kept});
    return *this;
  }
  InferOp& ints(std::vector<std::int64_t> values) { return known(Literal::int64s(values)); }
  InferOp& number(std::int64_t value) { return known(Literal::int64(value)); }

  /// Infers `count` outputs.
  const std::vector<ValueInfo>& outputs(std::size_t count = 1) {
    check_attributes(op_->name(), op_->canonical, attributes_);
    outputs_.assign(count, {});
    Inference inference(op_->name(), attributes_, inputs_, outputs_);
    infer(*op_, inference);
    return outputs_;
  }
  /// "float32 [2, ?]", or "float32" where the rank stays unknown.
  std::string output(std::size_t i = 0) {
    const ValueInfo info = outputs(i + 1)[i];
    return std::string(name_of(info.dtype)) + (info.shape ? " " + describe(*info.shape) : "");
  }
  /// Output `i` as a view of input 0 with these strides, "[2, 3] strides [3, 1]" and " from 4"
  /// where it does not begin at the first element; "copy" where the strides allow no view.
  std::string view(const Dims& strides, std::size_t i = 0, std::size_t count = 1) {
    const std::vector<ValueInfo> inferred = outputs(count);
    const Inference inference(op_->name(), attributes_, inputs_, outputs_);
    const auto views = op_->row->view(inference, strides);
    if (!views) return "copy";
    EXPECT_EQ(views->size(), count);
    const ViewSpec& view = views->at(i);
    EXPECT_EQ(view.shape, inferred[i].shape);
    std::string text = describe(view.shape) + " strides [";
    for (std::int64_t stride : view.strides) {
      text += (text.back() == '[' ? "" : ", ") + std::to_string(stride);
    }
    text += "]";
    return view.offset == 0 ? text : text + " from " + std::to_string(view.offset);
  }
  /// As above, for an input that lies in row-major order.
  std::string view() { return view(contiguous_strides(*inputs_.at(0).shape)); }
  /// What the literal rule gives.
  Literal literal() {
    outputs();
    return op_->row->literal(Inference(op_->name(), attributes_, inputs_, outputs_));
  }
  /// What the Error says that inference throws.
  std::string error(std::size_t count = 1) {
    try {
      outputs(count);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::model);
      return error.what();
    }
    return "no error";
  }

 private:
  const Op* op_;
  Attributes attributes_;
  std::vector<ValueInfo> inputs_;
  std::vector<ValueInfo> outputs_;
  std::deque<Literal> literals_;  // never moves them
};

}  // namespace switchyard
