#include "onnx/files/external_data.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include <algorithm>
#include <system_error>

#include "files/regular_file.hpp"
#include "io/file_error.hpp"

namespace switchyard {

namespace fs = std::filesystem;

namespace {

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [end, ignored] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

}  // namespace

ExternalData::Range ExternalData::range(const std::string& location, std::uint64_t offset,
                                        std::optional<std::uint64_t> length,
                                        const std::string& where) {
  const std::shared_ptr<const MappedFile>& mapped = file(location, where);
  const std::span<const std::byte> all = mapped->bytes();
  if (offset > all.size() || (length && *length > all.size() - offset)) {
    refuse(where,
           fmt::format("its data end behind the {} bytes of the external file {}; fetch that "
                       "file again, complete",
                       all.size(), in_quotes(location)));
  }
  return {mapped, all.subspan(offset, length.value_or(all.size() - offset))};
}

const std::shared_ptr<const MappedFile>& ExternalData::file(const std::string& location,
                                                            const std::string& where) {
  const auto known = files_.find(location);
  if (known != files_.end()) return known->second;
  const fs::path path = confined(location, where);
  try {
    return files_.emplace(location, MappedFile::open(path)).first->second;
  } catch (const std::system_error& error) {
    throw Error(
        kind_of(error.code()),
        fmt::format("{}: cannot open its external file {}: {}; it must lie beside the model", where,
                    in_quotes(path.string()), error.code().message()));
  }
}

fs::path ExternalData::confined(const std::string& location, const std::string& where) const {
  if (folder_.empty()) {
    refuse(where,
           fmt::format("its data lie in the external file {}, but a model from memory has no "
                       "folder; name the folder or read the model from its file",
                       in_quotes(location)));
  }
  const fs::path relative(location);
  const bool climbs = std::find(relative.begin(), relative.end(), "..") != relative.end();
  if (location.empty() || location.find('\0') != std::string::npos || relative.is_absolute() ||
      climbs) {
    refuse(where,
           fmt::format("the location {} of its external data is not a path inside the model's "
                       "folder; put the file beside the model",
                       in_quotes(location)));
  }
  std::error_code failure;
  const fs::path home = fs::canonical(folder_, failure);
  const fs::path path = fs::canonical(folder_ / relative, failure);
  if (failure) {
    refuse(where, fmt::format("cannot find its external file {} in {}: {}", in_quotes(location),
                              in_quotes(folder_.string()), failure.message()));
  }
  if (!lies_in(path, home)) {
    refuse(where,
           fmt::format("its external file {} is a link out of the model's folder, to {}; put "
                       "a copy beside the model",
                       in_quotes(location), in_quotes(path.string())));
  }
  return path;
}

}  // namespace switchyard
