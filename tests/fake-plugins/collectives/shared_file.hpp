// Memory that processes share under a name, and locks on it that a process loses when it ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace collective {

class SharedFile {
 public:
  // Opens the memory of that name, made with `size` zeros by whoever comes first. Throws
  // sy::Failure where the system does not give it.
  SharedFile(std::string name, size_t size);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  char* bytes() const { return bytes_; }
  size_t size() const { return size_; }  // as its maker has it
  // Nobody finds it by its name any more; who has it keeps it.
  void remove_name();

  // A mark that stays until this goes, or the process ends, however it does.
  void hold(uint32_t mark);
  // Whether another than this holds the mark.
  bool is_held(uint32_t mark) const;

 private:
  bool try_open();
  void map();

  const std::string name_;
  size_t size_;
  int descriptor_ = -1;
  char* bytes_ = nullptr;
};

}  // namespace collective
