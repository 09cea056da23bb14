// Copies of modules, and assignment to a member that holds a registered one.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <switchyard/error.hpp>

#include "nn/module_state.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard::nn {
namespace {

/// Guards all lists of copies: threads may copy one module at a time. Never destroyed, as modules
/// may be static.
trace::QuietMutex& guard_of_copies() {
  static trace::QuietMutex& guard = *new trace::QuietMutex;
  return guard;
}

void add_copy(std::vector<Module*>& copies, Module* module) {
  const std::scoped_lock lock(guard_of_copies());
  copies.push_back(module);
}

void drop_copy(std::vector<Module*>& copies, Module* module) {
  const std::scoped_lock lock(guard_of_copies());
  std::erase(copies, module);
}

std::ptrdiff_t distance(const Module& from, const Module& to) {
  return reinterpret_cast<const char*>(&to) - reinterpret_cast<const char*>(&from);
}

}  // namespace

struct Module::NextCopy {
  const Module* of = nullptr;  // null outside of register_module()
  const Module* parent = nullptr;
  std::shared_ptr<Slot> slot;
};

Module::NextCopy& Module::next_copy() {
  static thread_local NextCopy next;
  return next;
}

Module::Module() : state_(std::make_shared<State>()) { add_copy(state_->copies, this); }

Module::Module(const Module& other) : state_(other.state_), slot_(other.slot_) {
  add_copy(state_->copies, this);
  NextCopy& next = next_copy();
  if (next.of != &other) return;
  next.of = nullptr;
  slot_ = std::move(next.slot);
  slot_->offsets.push_back(distance(*next.parent, *this));
}

Module::~Module() { drop_copy(state_->copies, this); }

Module& Module::operator=(const Module& other) {
  if (this == &other) return *this;
  if (other.slot_ && other.slot_->holds(*this)) {  // the module around it is assigned to
    slot_ = other.slot_;
    share(other.state_);
    return *this;
  }
  const std::shared_ptr<Slot> slot = slot_;
  if (!slot || slot->is_assigned || slot->parent.expired()) {
    share(other.state_);
    return *this;
  }
  if (slot->child != this && !slot->holds(*this)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a copy of the registered module '{}' cannot be assigned to: assign to "
                            "the member that holds it, or make the copy anew",
                            slot->name));
  }
  const std::vector<Module*> others = others_in_place();
  slot->is_assigned = true;
  const std::shared_ptr<void> end(nullptr, [&](void*) { slot->is_assigned = false; });
  share(other.state_);
  for (Module* same : others) slot->assign(*same, other);
  return *this;
}

void Module::share(std::shared_ptr<State> state) {
  if (state == state_) return;
  drop_copy(state_->copies, this);
  add_copy(state->copies, this);
  state_ = std::move(state);
}

std::vector<Module*> Module::others_in_place() const {
  std::vector<Module*> copies;
  {
    const std::scoped_lock lock(guard_of_copies());
    copies = state_->copies;
  }
  std::erase_if(copies, [&](const Module* copy) {
    return copy == this || copy->slot_ != slot_ || !slot_->assign ||
           (copy != slot_->child && !slot_->holds(*copy));
  });
  return copies;
}

bool Module::Slot::holds(const Module& module) const {
  const std::shared_ptr<State> around = parent.lock();
  if (!around) return false;
  const std::scoped_lock lock(guard_of_copies());
  return std::any_of(around->copies.begin(), around->copies.end(), [&](const Module* copy) {
    return std::find(offsets.begin(), offsets.end(), distance(*copy, module)) != offsets.end();
  });
}

Module::Registration::Registration(Module& parent, std::string_view name,
                                   std::shared_ptr<Module> child, Assignment assign,
                                   const Module& module)
    : parent_(parent), slot_(std::make_shared<Slot>()) {
  slot_->parent = parent.state_;
  slot_->name = name;
  slot_->child = child.get();
  slot_->assign = assign;
  child->slot_ = slot_;
  parent.add_child(name, std::move(child));
  next_copy() = {&module, &parent, slot_};
}

Module::Registration::~Registration() { next_copy() = {}; }

void Module::Registration::take_in(Module& member) const {
  member.slot_ = slot_;
  slot_->offsets.push_back(distance(parent_, member));
}

}  // namespace switchyard::nn
