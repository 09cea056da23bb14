#include <switchyard/error.hpp>

#include "error/plain_text.hpp"

namespace switchyard {

Error::Error(ErrorKind kind, const std::string& line)
    : std::runtime_error(plain_line(line)), kind_(kind) {}

}  // namespace switchyard
