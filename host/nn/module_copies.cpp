// Copies of modules, and assignment to a member that holds a registered one.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <switchyard/error.hpp>

#include "nn/module_state.hpp"

namespace switchyard::nn {
namespace {

/// Guards all lists of copies: threads may copy one module at a time. Never destroyed, as modules
/// may be static.
std::mutex& guard_of_copies() {
  static std::mutex& guard = *new std::mutex;
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
  std::shared_ptr<Place> place;
};

Module::NextCopy& Module::next_copy() {
  static thread_local NextCopy next;
  return next;
}

Module::Module() : state_(std::make_shared<State>()) { add_copy(state_->copies, this); }

Module::Module(const Module& other) : state_(other.state_), place_(other.place_) {
  add_copy(state_->copies, this);
  NextCopy& next = next_copy();
  if (next.of != &other) return;
  next.of = nullptr;
  place_ = std::move(next.place);
  place_->offsets.push_back(distance(*next.parent, *this));
}

Module::~Module() { drop_copy(state_->copies, this); }

Module& Module::operator=(const Module& other) {
  if (this == &other) return *this;
  if (other.place_ && other.place_->holds(*this)) {  // the module around it is assigned to
    place_ = other.place_;
    share(other.state_);
    return *this;
  }
  const std::shared_ptr<Place> place = place_;
  if (!place || place->is_assigned || place->parent.expired()) {
    share(other.state_);
    return *this;
  }
  if (place->child != this && !place->holds(*this)) {
    throw Error(ErrorKind::usage,
                fmt::format("a copy of the registered module '{}' cannot be assigned to: assign to "
                            "the member that holds it, or make the copy anew",
                            place->name));
  }
  const std::vector<Module*> others = others_in_place();
  place->is_assigned = true;
  const std::shared_ptr<void> end(nullptr, [&](void*) { place->is_assigned = false; });
  share(other.state_);
  for (Module* same : others) place->assign(*same, other);
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
    return copy == this || copy->place_ != place_ || !place_->assign ||
           (copy != place_->child && !place_->holds(*copy));
  });
  return copies;
}

bool Module::Place::holds(const Module& module) const {
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
    : parent_(parent), place_(std::make_shared<Place>()) {
  place_->parent = parent.state_;
  place_->name = name;
  place_->child = child.get();
  place_->assign = assign;
  child->place_ = place_;
  parent.add_child(name, std::move(child));
  next_copy() = {&module, &parent, place_};
}

Module::Registration::~Registration() { next_copy() = {}; }

void Module::Registration::take_in(Module& member) const {
  member.place_ = place_;
  place_->offsets.push_back(distance(parent_, member));
}

}  // namespace switchyard::nn
