#include "ops/catalogue.hpp"

#include <algorithm>
#include <mutex>
#include <tuple>

#include <switchyard/error.hpp>

#include <fmt/format.h>

#include "ops/registered_op.hpp"
#include "ops/rows/families.hpp"
#include "ops/signature.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

namespace {

std::string_view or_else(std::string_view text, std::string_view fallback) {
  return text.empty() ? fallback : text;
}

/// The ONNX versions of a row, oldest first. A revision without types has those of the next one.
std::vector<Signature> parse_revisions(const Row& row) {
  std::vector<Signature> parsed;
  std::string_view types = or_else(row.onnx_types, row.types);
  parsed.push_back(parse_signature(row.signature, row.attributes, types));
  parsed.back().since = row.version;
  for (auto revision = row.revisions.rbegin(); revision != row.revisions.rend(); ++revision) {
    types = or_else(revision->types, types);
    const std::string_view attributes = or_else(revision->attributes, row.attributes);
    parsed.push_back(parse_signature(or_else(revision->signature, row.signature),
                                     attributes == "-" ? "" : attributes, types));
    parsed.back().since = revision->since;
    parsed.back().upgrade = revision->upgrade;
  }
  std::reverse(parsed.begin(), parsed.end());
  return parsed;
}

/// What `parse` gives; its error names the row.
template <typename Parse>
auto parse_row(const Row& row, const Parse& parse) {
  try {
    return parse(row);
  } catch (const Error& error) {
    throw Error(ErrorKind::internal, fmt::format("the row of {}: {}", row.op, error.what()));
  }
}

std::tuple<std::string_view, std::string_view> key_of(const Row& row) {
  return {row.domain, row.op};
}

const std::vector<Row>& all_rows() {
  static const auto& rows = *new std::vector<Row>([] {
    std::vector<Row> collected;
    for (const Family& family : families()) {
      for (Row& row : family.rows()) collected.push_back(std::move(row));
    }
    std::sort(collected.begin(), collected.end(),
              [](const Row& a, const Row& b) { return key_of(a) < key_of(b); });
    return collected;
  }());
  return rows;
}

}  // namespace

Op parse_op(const Row& row, std::uint32_t id) {
  Op op;
  op.row = &row;
  op.id = id;
  op.canonical = parse_signature(row.signature, row.attributes, row.types);
  op.canonical.since = row.version;
  for (std::size_t i = 0; i < op.canonical.inputs.size(); ++i) {
    if (op.canonical.inputs[i].host_input) op.host_inputs |= std::uint64_t{1} << i;
  }
  return op;
}

std::span<const Op> all_ops() {
  static const auto& ops = *new std::vector<Op>([] {
    std::vector<Op> parsed;
    parsed.reserve(all_rows().size());
    for (const Row& row : all_rows()) {
      const auto id = static_cast<std::uint32_t>(parsed.size());
      parsed.push_back(parse_row(row, [id](const Row& whole) { return parse_op(whole, id); }));
    }
    return parsed;
  }());
  return ops;
}

const Op* find_op(std::string_view domain, std::string_view name) {
  if (domain == "ai.onnx") domain = "";
  const std::tuple<std::string_view, std::string_view> key(domain, name);
  const std::span<const Op> ops = all_ops();
  const auto found =
      std::lower_bound(ops.begin(), ops.end(), key,
                       [](const Op& op, const auto& wanted) { return key_of(*op.row) < wanted; });
  if (found != ops.end() && key_of(*found->row) == key) return &*found;
  return find_registered_op(domain, name);
}

std::span<const Signature> revisions_of(const Op& op) {
  if (op.registered) return {&op.canonical, 1};
  static auto& guard = *new trace::QuietMutex;
  static auto& by_op = *new std::vector<std::vector<Signature>>(all_ops().size());
  const std::scoped_lock lock(guard);
  std::vector<Signature>& known = by_op[op.id];
  if (known.empty()) known = parse_row(*op.row, parse_revisions);
  return known;
}

const Signature& revision_for(const Op& op, int opset) {
  const std::span<const Signature> revisions = revisions_of(op);
  const auto newer = std::find_if(revisions.begin(), revisions.end(),
                                  [opset](const Signature& s) { return s.since > opset; });
  if (newer != revisions.begin()) return *std::prev(newer);
  throw Error(ErrorKind::model,
              fmt::format("[{}] is read from opset {} on; the model declares opset {}", op.name(),
                          revisions.front().since, opset));
}

const Op& upgrade(NodeDraft& node, int opset) {
  const Op* op = find_op(node.domain, node.op);
  if (!op)
    throw Error(ErrorKind::model,
                fmt::format("no op \"{}\" in domain \"{}\"", node.op, node.domain));
  const Signature* revision = &revision_for(*op, opset);
  check_attributes(node.op, *revision, node.attributes);
  for (const Signature* last = &revisions_of(*op).back(); revision != last; ++revision) {
    if (!revision->upgrade) continue;
    revision->upgrade(node);
    if (node.op == op->name() && node.domain == op->row->domain) continue;
    op = find_op(node.domain, node.op);
    if (!op)
      throw Error(ErrorKind::internal, fmt::format("an upgrade made the unknown op {}", node.op));
    break;
  }
  check_attributes(node.op, op->canonical, node.attributes);
  return *op;
}

}  // namespace switchyard
