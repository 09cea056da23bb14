// The protocol that compare.mjs speaks with either side: TRAINING.md describes it.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace switchyard::bench {

/// A task in its first state, and then further.
class Contestant {
 public:
  virtual ~Contestant() = default;
  /// Runs it once, to the end: a training step, or a thousand adds.
  virtual void run() = 0;
  /// What the last run came to: the loss, the sum, or the gradient.
  virtual double result() = 0;
};

using MakeContestant = std::function<std::unique_ptr<Contestant>()>;

/// Answers the lines of standard input until it ends.
void serve(const MakeContestant& make);

}  // namespace switchyard::bench
