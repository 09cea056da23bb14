#include "plugin_loader/watch/call_snapshot.hpp"

#include <fmt/format.h>

#include "plugin_loader/watch/call_target.hpp"

namespace switchyard::watch {
namespace {

bool has_changed(const CallSnapshot& call) {
  return call.activity->changes.load(std::memory_order_acquire) != call.changes;
}

std::optional<CallSnapshot> read_activity(const ThreadCalls& thread, const Activity& activity) {
  const std::uint64_t changes = activity.changes.load(std::memory_order_acquire);
  const char* const what = activity.what.load(std::memory_order_acquire);
  const CallTarget* const target = activity.target.load(std::memory_order_acquire);
  if (what == nullptr || target == nullptr) return std::nullopt;
  CallSnapshot call{&thread, &activity, what, target, changes};
  if (&activity == &thread.wait) call.work = thread.work.load(std::memory_order_acquire);
  if (has_changed(call)) return std::nullopt;
  if (call.work != nullptr) call.pieces_done = call.work->pieces_done();
  return call;
}

}  // namespace

std::optional<std::string> CallSnapshot::call_text() const {
  const std::string op = thread->op.read();
  const std::string node = thread->node.read();
  if (has_changed(*this)) return std::nullopt;
  std::string text = fmt::format("{}: {}", target->name(), what);
  if (!op.empty()) text += " for " + op;
  if (!node.empty()) text += fmt::format("{} node '{}'", op.empty() ? " for" : ",", node);
  return text;
}

std::string CallSnapshot::work_text() const {
  return work == nullptr ? "" : "; " + work->description();
}

std::optional<CallSnapshot> snapshot_of(const ThreadCalls& thread) {
  if (!thread.in_use.load(std::memory_order_acquire)) return std::nullopt;
  if (thread.wait.what.load(std::memory_order_acquire) != nullptr) {
    return read_activity(thread, thread.wait);
  }
  return read_activity(thread, thread.call);
}

}  // namespace switchyard::watch
