#include "cli/verify/skip_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <switchyard/error.hpp>
#include <system_error>

#include "cli/verify/model_ops.hpp"
#include "files/regular_file.hpp"

namespace switchyard::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kCaseWord = "case ";

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

}  // namespace

SkipList SkipList::read(const std::filesystem::path& file) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  std::string text;
  try {
    text = RegularFile::to_read(file).read(kMostBytes);
  } catch (const std::system_error& error) {
    throw Error(kind_of(error.code()), fmt::format("--skips: {} cannot be read: {}", file.string(),
                                                   error.code().message()));
  }
  if (text.empty() || text.size() > kMostBytes) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--skips: {} is empty, or larger than 1 MiB; name a list of skips",
                            file.string()));
  }
  return parse(text, file.string());
}

SkipList SkipList::parse(const std::string& text, const std::string& name) {
  SkipList list;
  list.name_ = name;
  std::istringstream stream(text);
  std::string written;
  for (int number = 1; std::getline(stream, written); ++number) {
    const std::string line = trimmed(written.substr(0, written.find('#')));
    if (line.empty()) continue;
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos || colon == 0) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("{}:{}: write `OP: reason` or `case PATTERN: reason`", name, number));
    }
    const std::string subject = trimmed(line.substr(0, colon));
    Entry entry;
    entry.reason = trimmed(line.substr(colon + 2));
    entry.line = number;
    if (subject.rfind(kCaseWord, 0) == 0) {
      entry.case_pattern = trimmed(subject.substr(kCaseWord.size()));
    } else {
      entry.op = subject;
    }
    list.entries_.push_back(std::move(entry));
  }
  return list;
}

void SkipList::judge(CaseResult& result) {
  if (result.status != CaseStatus::skip) return;
  if (Entry* entry = find(result)) {
    ++entry->skips;
    result.reason = fmt::format("{} ({})", entry->reason, result.reason);
    return;
  }
  result.status = CaseStatus::fail;
  result.reason = fmt::format("is skipped, which {} does not explain: {}", name_, result.reason);
}

std::vector<std::string> SkipList::unused() const {
  std::vector<std::string> sentences;
  for (const Entry& entry : entries_) {
    if (entry.skips > 0) continue;
    sentences.push_back(fmt::format("{}:{}: nothing is skipped for {}; drop the line", name_,
                                    entry.line,
                                    entry.op.empty() ? "case " + entry.case_pattern : entry.op));
  }
  return sentences;
}

SkipList::Entry* SkipList::find(const CaseResult& result) {
  for (Entry& entry : entries_) {
    if (!entry.case_pattern.empty() && fits_pattern(result.name, entry.case_pattern)) return &entry;
  }
  if (result.model.empty()) return nullptr;
  const std::set<std::string> ops = ops_of_model(result.model);
  for (Entry& entry : entries_) {
    if (!entry.op.empty() && ops.count(entry.op) > 0) return &entry;
  }
  return nullptr;
}

bool fits_pattern(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at) {
    if (fits_pattern(name.substr(at), rest)) return true;
  }
  return false;
}

}  // namespace switchyard::cli
