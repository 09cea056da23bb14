#pragma once

namespace switchyard::cli {

/// While it lives, the first Ctrl-C (SIGINT) is noted, so that a loop can stop where it suits; the
/// second one ends the program as usual. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool is_wanted() const;
};

}  // namespace switchyard::cli
