#include "software/executor/fiber.hpp"

#include <boost/context/detail/fcontext.hpp>

namespace mps::software {

namespace context = boost::context::detail;

struct Fiber::Start {
  static void run(context::transfer_t from) {
    auto& fiber = *static_cast<Fiber*>(from.data);
    fiber.host_ = from.fctx;
    fiber.switch_.on_fiber();
    fiber.body_(fiber);
  }
};

Fiber::Fiber(msl::Group* group, size_t number, std::function<void(Fiber&)> body)
    : stack_(group, number), body_(std::move(body)) {
  fiber_ = context::make_fcontext(stack_.top(), stack_.bytes(), &Start::run);
}

void Fiber::enter() {
  switch_.entering(stack_.bottom(), stack_.bytes());
  fiber_ = context::jump_fcontext(fiber_, this).fctx;
  switch_.back_on_host();
}

void Fiber::leave() {
  switch_.leaving();
  host_ = context::jump_fcontext(host_, nullptr).fctx;
  switch_.on_fiber();
}

}  // namespace mps::software
