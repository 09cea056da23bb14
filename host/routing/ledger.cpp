#include "routing/ledger.hpp"

#include <mutex>

namespace switchyard {
namespace {

/// A hook may call ops that fall back; told of these, it would have no end.
thread_local bool is_in_hook = false;

struct HookScope {
  HookScope() { is_in_hook = true; }
  ~HookScope() { is_in_hook = false; }
};

}  // namespace

LedgerEntry& FallbackLedger::entry(const Fallback& what, bool& is_new) {
  std::scoped_lock guard(guard_);
  for (LedgerEntry& entry : entries_) {
    const Fallback& known = entry.what;
    if (known.op == what.op && known.from == what.from && known.to == what.to &&
        known.code == what.code && known.message == what.message) {
      is_new = false;
      return entry;
    }
  }
  is_new = true;
  LedgerEntry& entry = entries_.emplace_back();
  entry.what = what;
  return entry;
}

std::vector<Fallback> FallbackLedger::snapshot() const {
  std::scoped_lock guard(guard_);
  std::vector<Fallback> result;
  for (const LedgerEntry& entry : entries_) {
    if (entry.count.load() == 0) continue;
    Fallback& fallback = result.emplace_back(entry.what);
    fallback.count = entry.count.load();
    fallback.bytes_copied = entry.bytes_copied.load();
    fallback.milliseconds = static_cast<double>(entry.nanoseconds.load()) * 1e-6;
  }
  return result;
}

void FallbackLedger::reset() {
  std::scoped_lock guard(guard_);
  for (LedgerEntry& entry : entries_) {
    entry.count = 0;
    entry.bytes_copied = 0;
    entry.nanoseconds = 0;
  }
}

void FallbackLedger::set_hook(std::shared_ptr<const Hook> hook) {
  std::scoped_lock guard(guard_);
  has_hook_.store(hook != nullptr, std::memory_order_release);
  hook_.swap(hook);
}

std::shared_ptr<const FallbackLedger::Hook> FallbackLedger::hook() const {
  if (!has_hook_.load(std::memory_order_acquire)) return nullptr;
  std::scoped_lock guard(guard_);
  return hook_;
}

void FallbackLedger::count(LedgerEntry& entry, std::uint64_t bytes_copied,
                           std::uint64_t nanoseconds) {
  entry.count.fetch_add(1, std::memory_order_relaxed);
  entry.bytes_copied.fetch_add(bytes_copied, std::memory_order_relaxed);
  entry.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
  if (is_in_hook) return;
  const std::shared_ptr<const Hook> told = hook();
  if (!told) return;
  Fallback one = entry.what;
  one.count = 1;
  one.bytes_copied = bytes_copied;
  one.milliseconds = static_cast<double>(nanoseconds) * 1e-6;
  const HookScope scope;
  (*told)(one);
}

}  // namespace switchyard
