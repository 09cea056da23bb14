#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "device/open_device.hpp"
#include "memory/per_thread.hpp"
#include "routing/route.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// A thread's own small cache of routes, so that an op that was called just like this before costs
/// a hash and a compare, and no lock.
class RecentRoutes {
 public:
  /// Lets go of this thread's routes from before the last change, and so of the kernels and devices
  /// that only they hold. May be called while the program ends.
  static void drop_stale_of_this_thread();

  static std::uint64_t hash(const CallSite& site, std::span<const TensorRef> inputs,
                            std::uint64_t wanted) {
    constexpr std::uint64_t kOdd = 0xff51afd7ed558ccdu;
    std::uint64_t hash = site.number ^ wanted << 32;
    for (const TensorRef& input : inputs) {
      const std::uint64_t one =
          input ? input->layout + input->constant_id + may_be_immediate(*input) : 1;
      hash = (hash ^ one) * kOdd;
      hash ^= hash >> 32;
    }
    return hash * kOdd;
  }

  /// While a call uses a route of these, those that hooks and sinks make meanwhile do without: they
  /// would drop it. Null, or the routes of this thread until the scope ends.
  class Use {
   public:
    Use() : routes_(PerThread<RecentRoutes>::get()) {
      if (routes_ && std::exchange(routes_->in_use_, true)) routes_ = nullptr;
    }
    ~Use() {
      if (routes_) routes_->in_use_ = false;
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    explicit operator bool() const { return routes_ != nullptr; }
    RecentRoutes* operator->() const { return routes_; }

   private:
    RecentRoutes* routes_;
  };

  /// The route, if this very call was seen lately and nothing has changed since; else null.
  const Route* find(std::uint64_t hash, const CallSite& site, std::span<const TensorRef> inputs,
                    std::span<const Literal> literals, std::uint64_t wanted) const {
    const Entry& entry = entries_[position_of(hash)];
    if (entry.hash != hash || entry.site != site.number ||
        entry.epoch != route_epoch.load(std::memory_order_acquire)) {
      return nullptr;
    }
    return matches(entry.route->key, inputs, literals, wanted) ? entry.route.get() : nullptr;
  }

  /// `epoch` is the one that held when the route was asked for.
  void keep(std::uint64_t hash, const CallSite& site, std::uint64_t epoch,
            std::shared_ptr<const Route> route) {
    if (epoch != last_epoch_) drop_stale();
    last_epoch_ = epoch;
    entries_[position_of(hash)] = {hash, site.number, epoch, std::move(route)};
  }

 private:
  static constexpr int kEntryBits = 9;
  static std::size_t position_of(std::uint64_t hash) { return hash >> (64 - kEntryBits); }

  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t site = 0;
    std::uint64_t epoch = 0;
    std::shared_ptr<const Route> route;
  };

  static bool matches(const RouteKey& key, std::span<const TensorRef> inputs,
                      std::span<const Literal> literals, std::uint64_t wanted) {
    if (key.wanted_outputs != wanted || key.inputs.size() != inputs.size()) return false;
    const RouteKey::Input* kept = key.inputs.data();
    for (const TensorRef& input : inputs) {
      if (!matches(*kept++, input.get())) return false;
    }
    for (std::size_t i = 0; i < literals.size(); ++i) {
      if (literals[i].dtype() == DType::undefined) continue;
      if (!same_bytes(key.inputs[i].literal, literals[i])) return false;
    }
    return true;
  }

  static bool matches(const RouteKey::Input& kept, const TensorImpl* input) {
    if (!input) return kept.dtype == DType::undefined;
    return kept.dtype == input->dtype && kept.constant_id == input->constant_id &&
           kept.shape == input->shape && kept.may_be_immediate == may_be_immediate(*input) &&
           // Where both are contiguous, strides that differ are those of single elements.
           ((kept.contiguous && input->contiguous) || kept.strides == input->strides);
  }

  void drop_stale();

  std::array<Entry, std::size_t{1} << kEntryBits> entries_;
  std::uint64_t last_epoch_ = 0;  // of the entry kept last
  bool in_use_ = false;
};

}  // namespace switchyard
