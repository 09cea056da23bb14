#include "cli/terminal/json.hpp"

#include <nlohmann/json.hpp>

#include "cli/terminal/terminal.hpp"

namespace switchyard::cli {

void print_json(const Json& value) {
  print(value.dump(2, ' ', false, Json::error_handler_t::replace));
  print("\n");
}

Json to_json(const Dims& shape) {
  Json list = Json::array();
  for (std::int64_t extent : shape) list.push_back(extent);
  return list;
}

}  // namespace switchyard::cli
