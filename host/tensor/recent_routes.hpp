#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "device/open_device.hpp"
#include "routing/route.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// A thread's own small cache of routes, so that an op that was called just like this before costs
/// a hash and a compare, and no lock.
class RecentRoutes {
 public:
  static RecentRoutes& of_this_thread();
  ~RecentRoutes();

  /// Lets go of this thread's routes from before the last change, and so of the kernels and devices
  /// that only they hold. May be called while the program ends.
  static void drop_stale_of_this_thread();

  static std::uint64_t hash(const CallSite& site, std::span<const TensorRef> inputs,
                            std::uint64_t wanted) {
    std::uint64_t hash = mix(site.number, wanted);
    for (const TensorRef& input : inputs) {
      hash = input ? mix(hash, input->layout + input->constant_id) : mix(hash, 1);
    }
    return hash;
  }

  /// The route, if this very call was seen lately and nothing has changed since; else null.
  const Route* find(std::uint64_t hash, const CallSite& site, std::span<const TensorRef> inputs,
                    std::span<const Literal> literals, std::uint64_t wanted) const {
    const Entry& entry = entries_[hash % kEntries];
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
    entries_[hash % kEntries] = {hash, site.number, epoch, std::move(route)};
  }

 private:
  static constexpr std::size_t kEntries = 512;
  struct Entry {
    std::uint64_t hash = 0;
    std::uint64_t site = 0;
    std::uint64_t epoch = 0;
    std::shared_ptr<const Route> route;
  };

  static bool matches(const RouteKey& key, std::span<const TensorRef> inputs,
                      std::span<const Literal> literals, std::uint64_t wanted) {
    if (key.wanted_outputs != wanted || key.inputs.size() != inputs.size()) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const RouteKey::Input& kept = key.inputs[i];
      if (!inputs[i]) {
        if (kept.dtype != DType::undefined) return false;
        continue;
      }
      const TensorImpl& input = *inputs[i];
      if (kept.dtype != input.dtype || kept.constant_id != input.constant_id ||
          !(kept.shape == input.shape) || !(kept.strides == input.strides)) {
        return false;
      }
      if (i < literals.size() && literals[i].dtype() != DType::undefined &&
          !same_bytes(kept.literal, literals[i])) {
        return false;
      }
    }
    return true;
  }

  void drop_stale();

  std::array<Entry, kEntries> entries_;
  std::uint64_t last_epoch_ = 0;  // of the entry kept last
};

}  // namespace switchyard
