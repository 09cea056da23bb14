#include "runtime/executable_cache.hpp"

#include <functional>
#include <iterator>
#include <string_view>

namespace mps {
namespace {

// What a compiled graph takes beside its constants, as others have measured it for MPSGraph.
constexpr size_t bytes_per_executable = size_t{55} << 10;

void mix(uint64_t& hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 32;
}

// Attributes are left to the comparison: graphs that differ in them alone are rare.
uint64_t hash_of(const seam::Graph& graph) {
  uint64_t hash = graph.nodes.size();
  for (const seam::Node& node : graph.nodes) {
    mix(hash, static_cast<uint64_t>(node.operation));
    mix(hash, static_cast<uint64_t>(node.type.element));
    for (const int64_t extent : node.type.shape) mix(hash, static_cast<uint64_t>(extent));
    for (const uint32_t operand : node.operands) mix(hash, operand);
    const std::string_view data(reinterpret_cast<const char*>(node.data.data()), node.data.size());
    mix(hash, std::hash<std::string_view>{}(data));
  }
  return hash;
}

size_t bytes_of(const seam::Graph& graph) {
  size_t bytes = bytes_per_executable;
  // The key holds a constant once, the executable once more.
  for (const seam::Node& node : graph.nodes) bytes += sizeof(node) + 2 * node.data.size();
  return bytes;
}

}  // namespace

seam::Ref<seam::Executable> ExecutableCache::find(uint64_t hash, const seam::Graph& graph) {
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto candidate = first; candidate != last; ++candidate) {
    const Entries::iterator entry = candidate->second;
    if (!(entry->graph == graph)) continue;
    entries_.splice(entries_.begin(), entries_, entry);
    ++statistics_.hits;
    return entry->executable;
  }
  return nullptr;
}

seam::Ref<seam::Executable> ExecutableCache::find_or_compile(const seam::Graph& graph) {
  const uint64_t hash = hash_of(graph);
  {
    const std::lock_guard lock(mutex_);
    if (auto found = find(hash, graph)) return found;
  }
  // Without the lock: compiling takes milliseconds. Two threads may then compile one graph.
  seam::Ref<seam::Executable> made = device_.compile(graph);
  const std::lock_guard lock(mutex_);
  ++statistics_.compilations;
  if (auto found = find(hash, graph)) return found;
  entries_.push_front({hash, graph, made, bytes_of(graph)});
  by_hash_.emplace(hash, entries_.begin());
  statistics_.bytes += entries_.front().bytes;
  evict();
  return made;
}

void ExecutableCache::evict() {
  while (statistics_.bytes > limit_bytes_ && entries_.size() > 1) {
    const auto last = std::prev(entries_.end());
    const auto [first, end] = by_hash_.equal_range(last->hash);
    for (auto candidate = first; candidate != end; ++candidate) {
      if (candidate->second != last) continue;
      by_hash_.erase(candidate);
      break;
    }
    statistics_.bytes -= last->bytes;
    ++statistics_.evictions;
    entries_.erase(last);
  }
}

void ExecutableCache::clear() {
  const std::lock_guard lock(mutex_);
  by_hash_.clear();
  entries_.clear();
  statistics_.bytes = 0;
}

ExecutableCacheStatistics ExecutableCache::statistics() const {
  const std::lock_guard lock(mutex_);
  ExecutableCacheStatistics statistics = statistics_;
  statistics.entries = entries_.size();
  return statistics;
}

}  // namespace mps
