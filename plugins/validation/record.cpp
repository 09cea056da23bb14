#include "record.hpp"

#include "switchyard/plugin/text.hpp"

namespace validation {
namespace {

constexpr size_t most_told = 20;

void tell(const sy_host& host, const std::string& text) {
  host.log(host.context, SY_LOG_ERROR, text.c_str());
}

}  // namespace

void Record::add(Rule rule, const std::string& text, const sy_host& host) {
  const std::lock_guard lock(guard_);
  ++count_;
  ++by_rule_[static_cast<size_t>(rule)];
  if (first_.size() == most_told) return;
  first_.push_back(sy::text("violation of the rule ", name_of(rule), ": ", text));
  tell(host, first_.back());
  if (first_.size() == most_told) tell(host, "further violations are counted for the report alone");
}

std::string Record::report() const {
  const std::lock_guard lock(guard_);
  const uint64_t calls = calls_.load(std::memory_order_relaxed);
  if (count_ == 0) return sy::text("validation: ", calls, " calls, all as plugin.h has it\n");
  std::string text = sy::text("validation: ", calls, " calls, ", count_, " violations (");
  const char* between = "";
  for (size_t i = 0; i < by_rule_.size(); ++i) {
    if (by_rule_[i] == 0) continue;
    text += sy::text(between, by_rule_[i], " of the rule ", rule_names[i]);
    between = ", ";
  }
  text += ")\n";
  for (const std::string& line : first_) text += line + "\n";
  if (count_ > first_.size()) text += sy::text("and ", count_ - first_.size(), " more\n");
  return text;
}

}  // namespace validation
