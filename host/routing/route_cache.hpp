#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "routing/call.hpp"
#include "routing/route.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// Routes by their full key and kernels by what they were specialised on, bounded in bytes; the
/// least recently used routes go first. A kernel lives as long as a route or a call holds it.
/// Thread-safe: one lock guards all. Kernels are held weakly, so that only routes decide how long
/// one lives, and evicting a route frees its kernel and its packed constants once no call runs it.
/// Threads have caches of their own in front of this one (tensor/recent_routes.hpp), which an epoch
/// empties.
class RouteCache {
 public:
  explicit RouteCache(std::size_t limit_bytes = 64u << 20) : limit_bytes_(limit_bytes) {}

  std::shared_ptr<const Route> find(const RouteRequest& request);
  void keep(const RouteRequest& request, std::shared_ptr<const Route> route);

  /// A kernel of `device` that serves the call, or null.
  std::shared_ptr<const Kernel> find_kernel(const RouteRequest& request, const OpenDevice& device,
                                            std::uint64_t make_contiguous);
  void keep_kernel(const RouteRequest& request, std::uint64_t make_contiguous,
                   const std::shared_ptr<const Kernel>& kernel);

  /// Drops what was made for these constants, which are gone: kernels hold packed copies of them.
  void forget(std::span<const std::uint64_t> constant_ids);

  std::size_t size() const;
  std::size_t bytes() const;
  void clear();

 private:
  struct Entry {
    std::uint64_t hash;
    std::shared_ptr<const Route> route;
    std::size_t bytes;
  };
  struct KernelEntry {
    RouteKey key;
    std::uint64_t make_contiguous;
    const OpenDevice* device;
    std::vector<std::uint8_t> specialised_on;
    std::weak_ptr<const Kernel> kernel;
  };
  void evict();
  std::list<Entry>::iterator drop(std::list<Entry>::iterator entry);
  void drop_matching(std::uint64_t hash, const RouteRequest& request);

  const std::size_t limit_bytes_;
  mutable trace::QuietMutex guard_;
  std::list<Entry> recent_;  // most recently used first
  std::unordered_multimap<std::uint64_t, std::list<Entry>::iterator> routes_;
  std::unordered_multimap<std::uint64_t, KernelEntry> kernels_;
  std::size_t bytes_ = 0;
};

}  // namespace switchyard
