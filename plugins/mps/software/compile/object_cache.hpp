// Files by content: each stands beside its whole key, which is compared at every hit.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace mps::software {

// Several processes may use one folder at once.
class ObjectCache {
 public:
  // Empty: below the user's cache folder. Made where it is missing, for the user alone.
  explicit ObjectCache(std::string folder);

  using Make = std::function<void(const std::filesystem::path& to)>;
  // `make` writes the file where it is told; it is called only if there is none yet.
  std::filesystem::path find_or_make(const std::string& key, const Make& make) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace mps::software
