#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace switchyard {

/// A name out of a file, quoted for a message; shortened if it is very long.
std::string in_quotes(std::string_view name);

/// Throws Error(model): "where: what", as one line whatever the names in it hold.
[[noreturn]] void refuse(const std::string& where, const std::string& what);

/// Throws Error(not_found) or Error(io): the file, and the system's reason.
[[noreturn]] void refuse_unreadable(const std::string& file, const std::error_code& reason);

}  // namespace switchyard
