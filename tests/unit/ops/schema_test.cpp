// Compares every row with Debian's ONNX schemas, a second opinion that ends at their newest opset.
#ifdef SWITCHYARD_ONNX_LIBRARY

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include "ops/allowed_values.hpp"
#include "ops/catalogue.hpp"
#include "ops/signature.hpp"
#include "ops/type_sets.hpp"

namespace switchyard {
namespace {

using Schema = onnx::OpSchema;
using SchemaFormal = onnx::OpSchema::FormalParameter;
using Strings = std::set<std::string>;

struct Deviation {
  std::string why;
  int first = 0;  // of the newest opsets of the ONNX libraries that it is seen with
  int last = std::numeric_limits<int>::max();
};

/// Where a row differs from Debian's schema on purpose: "Op-version: what".
const std::map<std::string, Deviation> kDeviations = {
    {"Erf-13: types of input", {"ONNX took the integers back after years", 25}},
    {"Erf-13: types of output", {"as above", 25}},
    {"GRU-1: default of direction", {"ONNX misspells \"forward\""}},
    {"GRU-1: optional Y_h", {"a node may leave any of its last outputs out"}},
    {"GlobalLpPool-2: types of X", {"ONNX had the two versions' types swapped", 22, 22}},
    {"GlobalLpPool-2: types of Y", {"as above", 22, 22}},
    {"GlobalLpPool-22: types of X", {"as above", 22, 22}},
    {"GlobalLpPool-22: types of Y", {"as above", 22, 22}},
    {"GridSample-16: types of grid", {"ONNX mixed its letters up, as its own tests show", 0, 17}},
    {"GridSample-16: letters of grid X", {"as above", 0, 17}},
    {"GridSample-16: types of Y", {"as above", 0, 17}},
    {"Loop-1: optional v_initial", {"a loop without state was always possible"}},
    {"Split-1: name", {"ONNX calls its outputs \"outputs...\""}},
};

/// The newest opset that the library knows: 17 in Debian 12, 22 in Debian 13.
int newest_opset() {
  return onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
}

bool is_expected(const Deviation& deviation) {
  return deviation.first <= newest_opset() && newest_opset() <= deviation.last;
}

std::string onnx_name(DType dtype) {
  if (dtype == DType::float32) return "float";
  if (dtype == DType::float64) return "double";
  return std::string(name_of(dtype));
}

Strings onnx_types(const Formal& formal) {
  Strings names;
  for (int i = 1; i <= static_cast<int>(kLastDType); ++i) {
    const auto dtype = static_cast<DType>(i);
    if (!contains(formal.allowed, dtype)) continue;
    const std::string tensor = "tensor(" + onnx_name(dtype) + ")";
    if (formal.kind == Formal::Kind::tensor) names.insert(tensor);
    if (formal.kind == Formal::Kind::sequence) names.insert("seq(" + tensor + ")");
  }
  return names;
}

/// What of a schema's types a row tells: tensors, and sequences where it says so.
Strings schema_types(const SchemaFormal& formal, Formal::Kind kind) {
  Strings names;
  for (const std::string* name : formal.GetTypes()) {
    const bool is_tensor = name->rfind("tensor(", 0) == 0;
    const bool is_sequence = name->rfind("seq(", 0) == 0;
    if (kind == Formal::Kind::tensor ? is_tensor : kind == Formal::Kind::sequence && is_sequence) {
      names.insert(*name);
    }
  }
  return names;
}

Strings& deviations_met() {
  static Strings met;
  return met;
}

class Comparison {
 public:
  Comparison(const Op& op, const Signature& ours, const Schema& theirs)
      : prefix_(fmt::format("{}-{}: ", op.name(), ours.since)), ours_(ours), theirs_(theirs) {}

  std::vector<std::string> differences() {
    compare_formals("inputs", ours_.inputs, theirs_.inputs());
    compare_formals("outputs", ours_.outputs, theirs_.outputs());
    compare_attributes();
    return std::move(differences_);
  }

 private:
  void expect(bool same, const std::string& what, const std::string& detail = "") {
    if (same) return;
    const std::string difference = prefix_ + what;
    const auto known = kDeviations.find(difference);
    if (known != kDeviations.end() && is_expected(known->second)) {
      deviations_met().insert(difference);
    } else {
      differences_.push_back(difference + " " + detail);
    }
  }

  void compare_formals(const std::string& side, const std::vector<Formal>& ours,
                       const std::vector<SchemaFormal>& theirs) {
    expect(ours.size() == theirs.size(), "number of " + side,
           fmt::format("{} for {}", ours.size(), theirs.size()));
    for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
      compare_formal(ours[i], theirs[i]);
      for (std::size_t j = 0; j < i; ++j) compare_letters(ours[i], ours[j], theirs[i], theirs[j]);
    }
  }

  void compare_formal(const Formal& ours, const SchemaFormal& theirs) {
    expect(ours.name == theirs.GetName(), "name",
           fmt::format("{} for {}", ours.name, theirs.GetName()));
    const bool variadic = theirs.GetOption() == Schema::Variadic;
    expect(ours.variadic == variadic, fmt::format("variadic {}", ours.name));
    const bool optional =
        theirs.GetOption() == Schema::Optional || (variadic && theirs.GetMinArity() == 0);
    expect(ours.optional == optional, fmt::format("optional {}", ours.name));
    expect(!variadic || (ours.letter >= 0) == theirs.GetIsHomogeneous(),
           fmt::format("homogeneous {}", ours.name));
    const Strings our_types = onnx_types(ours);
    const Strings their_types = schema_types(theirs, ours.kind);
    expect(
        our_types == their_types, fmt::format("types of {}", ours.name),
        fmt::format("{{{}}} for {{{}}}", fmt::join(our_types, " "), fmt::join(their_types, " ")));
  }

  /// Formals that share a letter in the schema share one here, and the other way round.
  void compare_letters(const Formal& a, const Formal& b, const SchemaFormal& their_a,
                       const SchemaFormal& their_b) {
    if (a.kind != b.kind || schema_types(their_a, a.kind).size() < 2) return;
    const bool same = a.letter >= 0 && a.letter == b.letter;
    expect(same == (their_a.GetTypeStr() == their_b.GetTypeStr()),
           fmt::format("letters of {} {}", a.name, b.name));
  }

  void compare_attributes() {
    Strings names;
    for (const AttributeSpec& ours : ours_.attributes) {
      names.emplace(ours.name);
      const auto found = theirs_.attributes().find(std::string(ours.name));
      expect(found != theirs_.attributes().end(), fmt::format("attribute {}", ours.name),
             "is not ONNX's");
      if (found != theirs_.attributes().end()) compare_attribute(ours, found->second);
    }
    for (const auto& [name, theirs] : theirs_.attributes()) {
      expect(names.count(name) != 0, "attribute " + name, "is missing");
    }
  }

  void compare_attribute(const AttributeSpec& ours, const Schema::Attribute& theirs) {
    static const std::map<onnx::AttributeProto::AttributeType, std::string> kKinds = {
        {onnx::AttributeProto::INT, "int"},
        {onnx::AttributeProto::FLOAT, "float"},
        {onnx::AttributeProto::STRING, "text"},
        {onnx::AttributeProto::INTS, "ints"},
        {onnx::AttributeProto::FLOATS, "floats"},
        {onnx::AttributeProto::STRINGS, "texts"},
        {onnx::AttributeProto::TENSOR, "tensor"},
        {onnx::AttributeProto::GRAPH, "graph"},
        {onnx::AttributeProto::SPARSE_TENSOR, "sparse"},
        {onnx::AttributeProto::TYPE_PROTO, "type"}};
    expect(plain_kind(ours.kind) == kKinds.at(theirs.type), fmt::format("kind of {}", ours.name),
           kKinds.at(theirs.type));
    expect(ours.required == theirs.required, fmt::format("required {}", ours.name));
    const bool has_default = theirs.default_value.has_name();
    expect(ours.fallback.has_value() == has_default, fmt::format("default of {}", ours.name),
           "is missing or too many");
    if (ours.fallback && has_default) {
      expect(same_default(*ours.fallback, theirs.default_value),
             fmt::format("default of {}", ours.name), theirs.default_value.ShortDebugString());
    }
  }

  static bool same_default(const AttributeValue& ours, const onnx::AttributeProto& theirs) {
    if (const auto* value = std::get_if<std::int64_t>(&ours)) return *value == theirs.i();
    if (const auto* value = std::get_if<float>(&ours)) return *value == theirs.f();
    if (const auto* value = std::get_if<std::string>(&ours)) return *value == theirs.s();
    if (const auto* values = std::get_if<std::vector<std::int64_t>>(&ours)) {
      return std::equal(values->begin(), values->end(), theirs.ints().begin(), theirs.ints().end());
    }
    if (const auto* values = std::get_if<std::vector<float>>(&ours)) {
      return std::equal(values->begin(), values->end(), theirs.floats().begin(),
                        theirs.floats().end());
    }
    const auto& values = std::get<std::vector<std::string>>(ours);
    return std::equal(values.begin(), values.end(), theirs.strings().begin(),
                      theirs.strings().end());
  }

  std::string prefix_;
  const Signature& ours_;
  const Schema& theirs_;
  std::vector<std::string> differences_;
};

/// onnxruntime has the op in ONNX's domain since 1, ONNX since 17.
bool is_onnxruntimes(const Op& op, const Signature& revision) {
  return op.name() == "LayerNormalization" && revision.since < 17;
}

TEST(SchemaTest, EveryRevisionAgreesWithOnnx) {
  int compared = 0;
  for (const Op& op : all_ops()) {
    if (!op.row->domain.empty() || op.row->runs_on == RunsOn::body) continue;
    for (const Signature& revision : revisions_of(op)) {
      if (revision.since > newest_opset() || is_onnxruntimes(op, revision)) continue;
      const Schema* schema =
          onnx::OpSchemaRegistry::Schema(std::string(op.name()), revision.since, "");
      ASSERT_NE(schema, nullptr) << op.name() << "-" << revision.since;
      ASSERT_EQ(schema->SinceVersion(), revision.since) << op.name();
      if (schema->Deprecated()) continue;
      ++compared;
      for (const std::string& difference : Comparison(op, revision, *schema).differences()) {
        ADD_FAILURE() << difference;
      }
    }
  }
  EXPECT_GT(compared, 0);
  for (const auto& [name, deviation] : kDeviations) {
    if (!is_expected(deviation)) continue;
    EXPECT_TRUE(deviations_met().count(name)) << name << " is none any more";
  }
  RecordProperty("compared", compared);
}

TEST(SchemaTest, NoVersionFromOpset7OnIsMissing) {
  for (const Schema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (schema.domain() != "") continue;
    const Op* op = find_op("", schema.Name());
    if (!op || schema.Deprecated()) continue;
    const bool listed = std::any_of(
        revisions_of(*op).begin(), revisions_of(*op).end(),
        [&](const Signature& revision) { return revision.since == schema.SinceVersion(); });
    // An older version counts from opset 7 on as long as no newer one had replaced it there.
    const Schema* at_seven = onnx::OpSchemaRegistry::Schema(schema.Name(), 7, "");
    const bool promised = schema.SinceVersion() >= 7 ||
                          (at_seven && at_seven->SinceVersion() == schema.SinceVersion());
    EXPECT_TRUE(listed || !promised) << schema.Name() << "-" << schema.SinceVersion();
  }
}

}  // namespace
}  // namespace switchyard

#endif  // SWITCHYARD_ONNX_LIBRARY
