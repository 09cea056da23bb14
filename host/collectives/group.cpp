#include <fmt/format.h>

#include <switchyard/collectives.hpp>
#include <switchyard/error.hpp>
#include <utility>

#include "collectives/collective.hpp"

namespace switchyard {

/// What was called in the group so far.
struct CollectiveGroup::State {
  std::vector<Collective> called;
};

namespace {

thread_local constinit CollectiveGroup::State* open_group = nullptr;

}  // namespace

CollectiveGroup::CollectiveGroup() : state_(std::make_unique<State>()) {
  if (open_group) {
    throw Error(ErrorKind::invalid_argument,
                "[CollectiveGroup] this thread is in a group already, which has not run yet; "
                "groups do not nest");
  }
  open_group = state_.get();
}

CollectiveGroup::~CollectiveGroup() {
  if (state_) open_group = nullptr;
}

void CollectiveGroup::run() {
  if (!state_) {
    throw Error(ErrorKind::invalid_argument,
                "[CollectiveGroup::run] the group has run already; make another");
  }
  open_group = nullptr;
  const std::unique_ptr<State> ended = std::move(state_);
  if (!ended->called.empty()) enqueue_collectives(std::move(ended->called));
}

void call_collective(Collective collective) {
  if (open_group) {
    open_group->called.push_back(std::move(collective));
    return;
  }
  std::vector<Collective> alone;
  alone.push_back(std::move(collective));
  enqueue_collectives(std::move(alone));
}

void refuse_in_group(std::string_view function, std::string_view instead) {
  if (!open_group) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] in a CollectiveGroup there is nothing to give back before run(); "
                          "use {}",
                          function, instead));
}

}  // namespace switchyard
