// What the log is told of calls that do not come back.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <switchyard/log.hpp>
#include <vector>

#include "temporary_folder.hpp"
#include "trace/log.hpp"

namespace switchyard {

// Takes all that the log is told, from the level info on, while this lives.
class ToldLines {
 public:
  ToldLines() {
    trace::set_level(trace::Level::info);
    // A thread may be within the sink when this has ended.
    set_log_sink([state = state_](LogLevel level, std::string_view line) {
      const std::scoped_lock lock(state->guard);
      state->lines.push_back(std::string(name_of(level)) + ": " + std::string(line));
      state->told.notify_all();
    });
  }
  ~ToldLines() {
    set_log_sink({});
    trace::set_level(former_);
  }
  ToldLines(const ToldLines&) = delete;
  ToldLines& operator=(const ToldLines&) = delete;

  // The first line that has `text` in it, once there is one: "warn: mine:0: ...".
  std::string wait_for(std::string_view text) { return wait_for_many(text, 1).front(); }

  // The first `count` of them, once there are so many.
  std::vector<std::string> wait_for_many(std::string_view text, std::size_t count) {
    std::unique_lock lock(state_->guard);
    std::vector<std::string> found;
    state_->told.wait(lock, [&] { return (found = having(text)).size() >= count; });
    found.resize(count);
    return found;
  }

  std::vector<std::string> all_of(std::string_view text) {
    const std::scoped_lock lock(state_->guard);
    return having(text);
  }

 private:
  struct State {
    std::mutex guard;
    std::condition_variable told;
    std::vector<std::string> lines;
  };

  std::vector<std::string> having(std::string_view text) const {
    std::vector<std::string> found;
    std::copy_if(state_->lines.begin(), state_->lines.end(), std::back_inserter(found),
                 [&](const std::string& line) { return line.find(text) != std::string::npos; });
    return found;
  }

  const trace::Level former_ = trace::level();
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

// Has the fakes called blocks_... block until it ends. A fake is loaded before, as its trial would
// block, too; and whoever is blocked is waited for before this is gone.
class FakesBlock {
 public:
  FakesBlock() { ::setenv("SWITCHYARD_FAKE_BLOCKS_UNTIL", file().c_str(), 1); }
  ~FakesBlock() {
    end();
    ::unsetenv("SWITCHYARD_FAKE_BLOCKS_UNTIL");
  }
  FakesBlock(const FakesBlock&) = delete;
  FakesBlock& operator=(const FakesBlock&) = delete;

  void end() const { std::ofstream(file()) << "go on"; }

 private:
  std::string file() const { return (folder_.path() / "go_on").string(); }

  const TemporaryFolder folder_;
};

}  // namespace switchyard
