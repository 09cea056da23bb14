#include "ops/op_by_name.hpp"

#include "ops/registered_op.hpp"

namespace switchyard {

const Op* find_op_by_name(std::string_view name) {
  for (const std::string_view domain : {"", "switchyard", "com.microsoft"}) {
    const Op* op = find_op(domain, name);
    if (op && op->row->runs_on != RunsOn::body) return op;
  }
  return find_registered_op_by_name(name);
}

}  // namespace switchyard
