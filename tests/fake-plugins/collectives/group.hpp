// Collectives that are under way together, on one thread.
#pragma once

#include <chrono>
#include <vector>

#include "task.hpp"

namespace collective {

class Group {
 public:
  Group() = default;
  // What was not carried out never will be: the other ranks need not wait for it.
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  void add(Task task);

  // Until all are over. Throws the failure of the first communicator that fails.
  void carry_out();

 private:
  struct Entry {
    Task task;
    std::chrono::steady_clock::time_point moved_at;  // or was held up by one before it
  };

  bool is_held_up(size_t index) const;
  bool advance_all();
  static void look_after(const Entry& entry);

  std::vector<Entry> entries_;
};

}  // namespace collective
