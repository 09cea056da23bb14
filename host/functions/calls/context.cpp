// What the scopes of a thread say, for another thread.
#include <optional>
#include <switchyard/autocast.hpp>
#include <switchyard/context.hpp>
#include <switchyard/runtime.hpp>
#include <switchyard/streams.hpp>

#include "device/open_device.hpp"
#include "device/thread_context.hpp"
#include "functions/calls/autocast.hpp"

namespace switchyard {

struct Context::State {
  std::optional<Runtime> runtime;
  std::optional<Device> device;
  std::optional<Stream> stream;
  bool grad_mode = true;
  std::optional<DType> autocast;
};

/// The context that a thread had before, and the weights that it converts in this one.
struct ContextScope::State {
  explicit State(std::shared_ptr<const Context::State> entered) : context(std::move(entered)) {
    if (context->autocast) autocast.emplace(AutocastState{*context->autocast});
  }

  std::shared_ptr<const Context::State> context;
  std::optional<AutocastState> autocast;
  ThreadContext before = thread_context;
};

Context::Context() : Context(std::make_shared<const State>()) {}
Context::Context(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Context Context::current() {
  const ThreadContext& here = thread_context;
  auto state = std::make_shared<State>();
  if (here.runtime) state->runtime = *here.runtime;
  if (here.device) state->device = *here.device;
  if (here.stream) {
    auto& open = const_cast<OpenDevice&>(*here.stream_device);  // its scope holds it so
    state->stream.emplace(Device(open.shared_from_this()), *here.stream);
  }
  state->grad_mode = here.grad_mode;
  state->autocast = autocast_dtype();
  return Context(std::move(state));
}

ContextScope::ContextScope(const Context& context)
    : state_(std::make_unique<State>(context.state_)) {
  const Context::State& entered = *state_->context;
  thread_context = {
      .stream_device = entered.stream ? entered.stream->device().open().get() : nullptr,
      .stream = entered.stream ? &entered.stream->open() : nullptr,
      .grad_mode = entered.grad_mode,
      .autocast = state_->autocast ? &*state_->autocast : nullptr,
      .runtime = entered.runtime ? &*entered.runtime : nullptr,
      .device = entered.device ? &*entered.device : nullptr};
}

ContextScope::~ContextScope() { thread_context = state_->before; }

}  // namespace switchyard
