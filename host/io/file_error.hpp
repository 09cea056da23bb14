#pragma once

#include <string>
#include <string_view>

namespace switchyard {

/// A name out of a file, quoted for a message; shortened if it is very long.
std::string in_quotes(std::string_view name);

/// Throws Error(model): "where: what", as one line whatever the names in it hold.
[[noreturn]] void refuse(const std::string& where, const std::string& what);

}  // namespace switchyard
