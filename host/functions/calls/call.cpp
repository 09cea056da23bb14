#include "functions/calls/call.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/container/small_vector.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>

#include "autograd/mode.hpp"
#include "autograd/record.hpp"
#include "error/line_without_function.hpp"
#include "functions/calls/autocast.hpp"
#include "functions/calls/body_call.hpp"
#include "functions/calls/device_of.hpp"
#include "functions/calls/sites.hpp"
#include "ops/op_error.hpp"
#include "tensor/engine.hpp"
#include "tensor/placement.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

const Attributes& kNoAttributes = *new Attributes;

using Refs = boost::container::small_vector<TensorRef, 4>;

/// References to tensors that the caller holds for as long as this lives, uncounted.
template <std::size_t N>
class Borrowed {
 public:
  template <typename... T>
  explicit Borrowed(const T&... tensors) : refs_{TensorRef::adopt(tensors.impl())...} {}
  ~Borrowed() {
    for (TensorRef& ref : refs_) ref.release();
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  std::span<TensorRef> refs() { return refs_; }

 private:
  std::array<TensorRef, N> refs_;
};

/// True for the usual call: contiguous tensors of one device, of which nothing is converted.
template <typename... T>
bool is_plain(const Op& op, const T&... tensors) {
  if (op.row->runs_on != RunsOn::device || thread_context.autocast) return false;
  const TensorImpl* first = nullptr;
  const auto fits = [&](const TensorImpl* tensor) {
    if (!tensor || !tensor->device || !tensor->contiguous) return false;
    if (!first) first = tensor;
    return tensor->device == first->device;
  };
  return (fits(tensors.impl()) && ...);
}

}  // namespace

void dispatch(Engine& engine, const CallSite& site, std::span<TensorRef> inputs,
              std::span<TensorRef> outputs, Inputs ownership) try {
  const std::uint64_t wanted = mask_of_first(outputs.size());
  engine.dispatcher->call(site, inputs, outputs, wanted, ownership);
} catch (const NoDevice& refused) {
  if (refused.kind() != ErrorKind::unsupported || !has_body(site)) throw;
  try {
    run_body(engine, site, inputs, outputs);
  } catch (const Error& inner) {
    if (inner.kind() != ErrorKind::unsupported) throw;
    throw Error(refused).set_line(fmt::format("{}; and of its function body: {}", refused.what(),
                                              line_without_function(inner)));
  }
}

namespace {

/// Runs a call, and records it if gradients flow through it.
void run_recorded(Engine& engine, const std::shared_ptr<const CallSite>& site,
                  std::span<TensorRef> inputs, std::span<TensorRef> outputs, Inputs ownership) {
  if (!must_record(inputs)) [[likely]] {
    dispatch(engine, *site, inputs, outputs, ownership);
    return;
  }
  // Kept: inputs that nobody else holds give their memory away in the call.
  const Recording recording(site, inputs, outputs.size());
  dispatch(engine, *site, inputs, outputs, ownership);
  recording.made(outputs);
}

template <typename... T>
Tensor plain_call(const Op& op, const Tensor& first, const T&... rest) {
  Borrowed<sizeof...(rest) + 1> inputs(first, rest...);
  std::array<TensorRef, 1> out;
  OpenDevice& device = *first.impl()->device;
  Engine& engine = engine_of(device);
  try {
    run_recorded(engine, find_site(engine, op, kNoAttributes, device), inputs.refs(), out,
                 Inputs::borrowed);
  } catch (const Error& error) {
    throw_to_caller(error, op.name());
  }
  return Tensor::adopt(out[0].release());
}

void refuse(const Op& op, const Tensor& target, const TensorRef& made) {
  throw Error(
      ErrorKind::shape_mismatch,
      fmt::format("[{}] in place: the result is {}, but it is written over {}", op.name(),
                  describe(made->dtype, made->shape), describe(target.dtype(), target.shape())));
}

/// The same, written over `targets`.
void call_in_place(const Op& op, const Attributes& attributes, std::span<TensorRef> inputs,
                   std::span<const Tensor> targets) try {
  for (const Tensor& target : targets) {
    if (target.defined()) check_writable(op.name(), TensorRef(target.impl()));
  }
  const CallDevice called = device_of(op, inputs);
  OpenDevice& device = called.open();
  Engine& engine = engine_of(device);
  const auto& site = find_site(engine, op, attributes, device);
  Refs outputs;
  for (const Tensor& target : targets) outputs.emplace_back(target.impl());
  std::optional<Recording> recording;
  if (must_record(inputs)) {
    recording.emplace(site, inputs, outputs.size());
    recording->keep_overwritten(inputs, targets);
  }
  dispatch(engine, *site, inputs, {outputs.data(), outputs.size()}, Inputs::given);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].defined()) continue;
    TensorImpl& target = *targets[i].impl();
    if (outputs[i].get() != &target) {
      if (outputs[i]->shape != target.shape || outputs[i]->dtype != target.dtype) {
        refuse(op, targets[i], outputs[i]);
      }
      CopyCount count;
      copy_over(outputs[i], TensorRef(&target), count);
    }
    if (target.storage) target.storage->count_write();
  }
  if (recording) {
    recording->written(targets);
  } else {
    clear_history(targets);
  }
} catch (const Error& error) {
  throw_to_caller(error, op.name());
}

Refs references(std::span<const Tensor> inputs) {
  Refs refs;
  for (const Tensor& input : inputs) refs.emplace_back(input.impl());
  return refs;
}

Attributes with_defaults(const Op& op, Attributes attributes) {
  for (const AttributeSpec& spec : op.canonical.attributes) {
    if (spec.fallback && !attributes.has(spec.name)) attributes.set(spec.name, *spec.fallback);
  }
  return attributes;
}

}  // namespace

void call_recorded(const Op& op, const Attributes& attributes, std::span<TensorRef> inputs,
                   std::span<TensorRef> outputs) try {
  if (thread_context.autocast) [[unlikely]]
    convert_inputs(*thread_context.autocast, op, inputs);
  const CallDevice called = device_of(op, inputs);
  OpenDevice& device = called.open();
  Engine& engine = engine_of(device);
  run_recorded(engine, find_site(engine, op, attributes, device), inputs, outputs, Inputs::given);
  if (op.row->runs_on == RunsOn::view) record_views(inputs, outputs);
} catch (const Error& error) {
  throw_to_caller(error, op.name());
}

const Op& EagerOp::find() const {
  const Op* known = find_op(domain_, name_);
  if (!known) {
    throw Error(ErrorKind::internal,
                fmt::format("there is no op '{}' in domain '{}'", name_, domain_));
  }
  op_.store(known, std::memory_order_release);
  return *known;
}

Tensor EagerOp::operator()(const Tensor& a) const {
  const Op& op = this->op();
  if (!op.canonical.attributes.empty()) return (*this)({a}, {});
  if (is_plain(op, a)) [[likely]]
    return plain_call(op, a);
  std::array<TensorRef, 1> in{TensorRef(a.impl())};
  std::array<TensorRef, 1> out;
  call_recorded(op, kNoAttributes, in, out);
  return Tensor::adopt(out[0].release());
}

Tensor EagerOp::operator()(const Tensor& a, const Tensor& b) const {
  const Op& op = this->op();
  if (!op.canonical.attributes.empty()) return (*this)({a, b}, {});
  if (is_plain(op, a, b)) [[likely]]
    return plain_call(op, a, b);
  std::array<TensorRef, 2> in{TensorRef(a.impl()), TensorRef(b.impl())};
  std::array<TensorRef, 1> out;
  call_recorded(op, kNoAttributes, in, out);
  return Tensor::adopt(out[0].release());
}

Tensor EagerOp::operator()(std::span<const Tensor> inputs, Attributes attributes) const {
  Refs in = references(inputs);
  std::array<TensorRef, 1> out;
  call_recorded(op(), with_defaults(op(), std::move(attributes)), {in.data(), in.size()}, out);
  return Tensor::adopt(out[0].release());
}

Tensor EagerOp::operator()(std::initializer_list<Tensor> inputs, Attributes attributes) const {
  return (*this)(std::span(inputs.begin(), inputs.size()), std::move(attributes));
}

std::vector<Tensor> EagerOp::outputs(std::size_t count, std::span<const Tensor> inputs,
                                     Attributes attributes) const {
  Refs in = references(inputs);
  std::vector<TensorRef> out(count);
  call_recorded(op(), with_defaults(op(), std::move(attributes)), {in.data(), in.size()}, out);
  std::vector<Tensor> results;
  results.reserve(count);
  for (TensorRef& made : out) results.push_back(Tensor::adopt(made.release()));
  return results;
}

std::vector<Tensor> EagerOp::outputs(std::size_t count, std::initializer_list<Tensor> inputs,
                                     Attributes attributes) const {
  return outputs(count, std::span(inputs.begin(), inputs.size()), std::move(attributes));
}

void EagerOp::write_to(const Tensor& target, std::initializer_list<Tensor> inputs,
                       Attributes attributes) const {
  write_to(std::span(&target, 1), std::span(inputs.begin(), inputs.size()), std::move(attributes));
}

void EagerOp::write_to(std::span<const Tensor> targets, std::span<const Tensor> inputs,
                       Attributes attributes) const {
  Refs in = references(inputs);
  call_in_place(op(), with_defaults(op(), std::move(attributes)), {in.data(), in.size()}, targets);
}

Attributes attributes(std::initializer_list<Attributes::Entry> entries) {
  Attributes list;
  for (const Attributes::Entry& entry : entries) list.set(entry.first, entry.second);
  return list;
}

Tensor int64s(std::span<const std::int64_t> values) {
  return Tensor(make_host_tensor(Literal::int64s(values)).get());
}
Tensor int64s(const Dims& values) { return int64s(values.span()); }
Tensor int64_scalar(std::int64_t value) {
  return Tensor(make_host_tensor(Literal::int64(value)).get());
}

}  // namespace switchyard
