#pragma once

#include <switchyard/plugin.h>

#include <mutex>
#include <string>

namespace switchyard::cli::conform {

/// Hears of losses where one is expected. Kept for ever: a wrong plugin may tell of one late.
class LossListener {
 public:
  static LossListener& make() { return *new LossListener; }
  LossListener(const LossListener&) = delete;
  LossListener& operator=(const LossListener&) = delete;

  const sy_device_listener& abi() const { return abi_; }
  bool was_told() const;
  /// The device is closed: to be told from now on is wrong.
  void close();
  /// Fails the case for whatever was wrong in how it was told.
  void check() const;

 private:
  LossListener();
  void note(const char* message);

  sy_device_listener abi_;
  mutable std::mutex guard_;
  bool was_told_ = false;
  bool is_closed_ = false;
  std::string fault_;
};

}  // namespace switchyard::cli::conform
