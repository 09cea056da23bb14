// Compiled graphs, the most recently used ones. Graphs are compared in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>

#include "seam/seam.hpp"

namespace mps {

struct ExecutableCacheStatistics {
  size_t entries = 0;
  size_t bytes = 0;  // estimated
  uint64_t hits = 0;
  uint64_t compilations = 0;
  uint64_t evictions = 0;
};

// Any thread may call any member. What has been evicted lives on while somebody holds it.
class ExecutableCache {
 public:
  ExecutableCache(seam::Device& device, size_t limit_bytes)
      : device_(device), limit_bytes_(limit_bytes) {}

  seam::Ref<seam::Executable> find_or_compile(const seam::Graph& graph);
  void clear();
  ExecutableCacheStatistics statistics() const;

 private:
  struct Entry {
    uint64_t hash;
    seam::Graph graph;
    seam::Ref<seam::Executable> executable;
    size_t bytes;
  };
  using Entries = std::list<Entry>;

  seam::Ref<seam::Executable> find(uint64_t hash, const seam::Graph& graph);
  void evict();

  seam::Device& device_;
  const size_t limit_bytes_;
  mutable std::mutex mutex_;
  Entries entries_;  // the most recently used first
  std::unordered_multimap<uint64_t, Entries::iterator> by_hash_;
  ExecutableCacheStatistics statistics_;
};

}  // namespace mps
