#pragma once

#include <optional>
#include <string>

namespace switchyard {

/// Why a file must not be trusted: it, or anything on the way to it from the root, links and what
/// they lead through included, belongs to another user, or can be written to by others, who could
/// then choose what this process runs. One sentence with the command that fixes it; nothing if all
/// is well, or if the file cannot be looked at (opening it will then say why).
///
/// Root may own anything. Folders such as /tmp may be writable, for others cannot replace one's
/// files in them. Groups are others, but for a user's own group that has no other member and, on
/// macOS, the group of administrators.
std::optional<std::string> why_untrusted(const std::string& path);

}  // namespace switchyard
