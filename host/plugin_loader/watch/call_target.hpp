#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace switchyard::watch {

class Watcher;

/// Who is called: a device, or a plugin while it is loaded. While one lives that has a deadline, a
/// thread of the process looks at all calls.
class CallTarget {
 public:
  /// `name` is for people, "plugin:0"; `plugin` is the plugin's in the configuration. A deadline of
  /// 0 is none: calls are not told of.
  CallTarget(std::string name, std::string plugin, std::chrono::milliseconds deadline);
  /// No call of it may be under way.
  ~CallTarget();
  CallTarget(const CallTarget&) = delete;
  CallTarget& operator=(const CallTarget&) = delete;

  const std::string& name() const noexcept { return name_; }
  const std::string& plugin() const noexcept { return plugin_; }
  std::chrono::milliseconds deadline() const noexcept { return deadline_; }

  /// What threads are doing in it now, a line for each: "run for Relu, node 'a', on thread 1234".
  std::vector<std::string> calls_under_way() const;

 private:
  const std::string name_;
  const std::string plugin_;
  const std::chrono::milliseconds deadline_;
  Watcher& watcher_;
};

/// Returns once no other thread reads what this one is about to destroy: a CallTarget, or work that
/// was waited for.
void await_readers() noexcept;

}  // namespace switchyard::watch
