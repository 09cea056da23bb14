#include "routing/route_cache.hpp"

#include <algorithm>
#include <mutex>

#include "device/open_device.hpp"

namespace switchyard {
namespace {

std::uint64_t route_hash(const RouteRequest& request) {
  std::uint64_t hash = mix(request.site.hash, request.wanted_outputs);
  for (const TensorDescriptor& input : request.inputs) {
    hash = mix(hash, layout_hash(input.dtype, input.shape, input.strides));
    hash = mix(hash, input.constant_id);
  }
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    const Literal* value = request.inputs[i].literal;
    if (value && request.site.op->is_host_input(i)) {
      hash = mix(hash, bytes_hash(value->bytes(), value->size_bytes()));
    }
  }
  return hash;
}

std::size_t literal_bytes(const RouteKey& key) {
  std::size_t bytes = 0;
  for (const RouteKey::Input& input : key.inputs) bytes += input.literal.size_bytes();
  return bytes;
}

/// Coarser: types and ranks alone, since a kernel may serve many shapes.
std::uint64_t kernel_hash(const RouteRequest& request) {
  std::uint64_t hash = mix(request.site.hash, request.wanted_outputs);
  for (const TensorDescriptor& input : request.inputs) {
    hash = mix(mix(hash, static_cast<std::uint64_t>(input.dtype)), input.shape.size());
    hash = mix(hash, input.constant_id);
  }
  return hash;
}

}  // namespace

std::shared_ptr<const Route> RouteCache::find(const RouteRequest& request) {
  const std::uint64_t hash = route_hash(request);
  std::scoped_lock guard(guard_);
  const auto [first, last] = routes_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (!it->second->route->key.matches(request)) continue;
    recent_.splice(recent_.begin(), recent_, it->second);
    return it->second->route;
  }
  return nullptr;
}

void RouteCache::keep(const RouteRequest& request, std::shared_ptr<const Route> route) {
  const std::uint64_t hash = route_hash(request);
  const std::size_t bytes = 1024 + request.inputs.size() * sizeof(RouteKey::Input) +
                            route->outputs.size() * sizeof(RoutedOutput) +
                            literal_bytes(route->key);
  std::scoped_lock guard(guard_);
  drop_matching(hash, request);
  recent_.push_front({hash, std::move(route), bytes});
  routes_.emplace(hash, recent_.begin());
  bytes_ += bytes;
  evict();
}

/// Of a device that has recovered since, or of a thread that missed together with this one.
void RouteCache::drop_matching(std::uint64_t hash, const RouteRequest& request) {
  const auto [first, last] = routes_.equal_range(hash);
  const auto known = std::find_if(
      first, last, [&](const auto& kept) { return kept.second->route->key.matches(request); });
  if (known != last) drop(known->second);
}

void RouteCache::evict() {
  while (bytes_ > limit_bytes_ && recent_.size() > 1) drop(std::prev(recent_.end()));
}

std::list<RouteCache::Entry>::iterator RouteCache::drop(std::list<Entry>::iterator entry) {
  const auto [first, last] = routes_.equal_range(entry->hash);
  routes_.erase(
      std::find_if(first, last, [&](const auto& known) { return known.second == entry; }));
  bytes_ -= entry->bytes;
  return recent_.erase(entry);
}

void RouteCache::forget(std::span<const std::uint64_t> constant_ids) {
  const auto is_gone = [&](const RouteKey::Input& input) {
    return input.constant_id != 0 && std::find(constant_ids.begin(), constant_ids.end(),
                                               input.constant_id) != constant_ids.end();
  };
  std::scoped_lock guard(guard_);
  for (auto entry = recent_.begin(); entry != recent_.end();) {
    const auto& inputs = entry->route->key.inputs;
    entry = std::any_of(inputs.begin(), inputs.end(), is_gone) ? drop(entry) : std::next(entry);
  }
}

std::shared_ptr<const Kernel> RouteCache::find_kernel(const RouteRequest& request,
                                                      const OpenDevice& device,
                                                      std::uint64_t make_contiguous) {
  std::scoped_lock guard(guard_);
  auto [it, last] = kernels_.equal_range(kernel_hash(request));
  while (it != last) {
    KernelEntry& entry = it->second;
    auto kernel = entry.kernel.lock();
    if (!kernel) {
      it = kernels_.erase(it);
      continue;
    }
    if (entry.device == &device && entry.make_contiguous == make_contiguous &&
        kernel->generation() == device.generation() &&
        entry.key.matches(request, entry.specialised_on)) {
      return kernel;
    }
    ++it;
  }
  return nullptr;
}

void RouteCache::keep_kernel(const RouteRequest& request, std::uint64_t make_contiguous,
                             const std::shared_ptr<const Kernel>& kernel) {
  std::scoped_lock guard(guard_);
  if (kernels_.size() > 2 * recent_.size() + 64) {
    std::erase_if(kernels_, [](const auto& item) { return item.second.kernel.expired(); });
  }
  kernels_.emplace(kernel_hash(request),
                   KernelEntry{RouteKey(request), make_contiguous, &kernel->device(),
                               kernel->specialised_on(), kernel});
}

std::size_t RouteCache::size() const {
  std::scoped_lock guard(guard_);
  return recent_.size();
}

std::size_t RouteCache::bytes() const {
  std::scoped_lock guard(guard_);
  return bytes_;
}

// Kernels end without the lock: that may wait for their work.
void RouteCache::clear() {
  std::list<Entry> gone;
  std::scoped_lock guard(guard_);
  routes_.clear();
  recent_.swap(gone);
  kernels_.clear();
  bytes_ = 0;
}

}  // namespace switchyard
