#include <switchyard/error.hpp>
#include <switchyard/text.hpp>

namespace switchyard {

const char* Text::refuse_null() {
  throw Error(ErrorKind::invalid_argument, "a text is a null pointer; give it characters, or \"\"");
}

}  // namespace switchyard
