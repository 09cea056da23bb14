#pragma once

#include <optional>
#include <string>

namespace switchyard {

/// Why a file must not be trusted: it, or a folder that it is named or found in, can be written to
/// by others, who could then choose what this process runs. One sentence with the chmod that mends
/// it; nothing if all is well, or if the file cannot be looked at (opening it will then say why).
/// Folders such as /tmp, where others cannot replace one's files, are well.
std::optional<std::string> why_untrusted(const std::string& path);

/// The text of a configuration file. Throws Error(config) if it is not trusted, no plain file, too
/// large to be a configuration, or cannot be read.
std::string read_trusted_file(const std::string& path);

}  // namespace switchyard
