#include <fmt/format.h>

#include "cli/conform/report/conformance.hpp"

namespace switchyard::cli::conform {
namespace {

/// Text of XML: what is not a character there is left out.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(letter) >= 0x20) result += letter;
    }
  }
  return result;
}

/// The element for what came of a case that did not pass. A crash is an error to JUnit, as the case
/// did not end by itself.
std::string outcome_of(const CaseResult& result) {
  const std::string reason = escaped(result.reason);
  switch (result.status) {
    case CaseStatus::passed: return "";
    case CaseStatus::skipped: return fmt::format("<skipped message=\"{}\"/>", reason);
    case CaseStatus::failed: return fmt::format("<failure message=\"{}\"/>", reason);
    default:
      return fmt::format("<error type=\"{}\" message=\"{}\"/>", word_for(result.status), reason);
  }
}

}  // namespace

std::string to_junit(const Conformance& conformance) {
  const std::size_t errors =
      conformance.count(CaseStatus::crashed) + conformance.count(CaseStatus::hung);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format(
      "<testsuite name=\"switchyard conform {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "skipped=\"{}\">\n",
      escaped(conformance.library), conformance.results.size(),
      conformance.count(CaseStatus::failed), errors, conformance.count(CaseStatus::skipped));
  for (const CaseResult& result : conformance.results) {
    const std::size_t slash = result.name.rfind('/');
    text += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">{}</testcase>\n",
                        escaped(result.name.substr(0, slash)),
                        escaped(result.name.substr(slash + 1)), result.seconds, outcome_of(result));
  }
  return text + "</testsuite>\n";
}

}  // namespace switchyard::cli::conform
