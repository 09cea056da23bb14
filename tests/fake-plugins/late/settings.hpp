// The options of [plugins.NAME.options].
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <string>

namespace late {

// Chances are per mille of the calls that they concern.
struct Settings {
  std::string kernels;  // the file of the plugin whose kernels compute: synchronous, with addresses
  uint32_t devices = 2;
  sy_memory_kind memory = SY_MEMORY_OPAQUE;
  bool caches_memory = false;
  bool imports_host_memory = false;
  bool has_events = true;
  bool only_onnx = false;          // claims no op of other domains than ONNX's
  bool has_integers = true;        // else claims nothing whose inputs are integers
  bool shows_counter = false;      // gives create_stream's `completed`
  bool synchronous = false;        // work is over when its call returns
  bool collectives = false;        // has the extension of collectives.h
  int64_t delay_microseconds = 0;  // the longest pause before a piece of work
  int64_t batch = 1;               // work starts when this much has gathered, or on a flush or wait
  uint64_t seed = 1;
  int64_t refused = 0;        // `prepare` refuses
  int64_t transient = 0;      // `run` and `copy` fail for now
  int64_t out_of_memory = 0;  // `allocate` and `run` fail
  int64_t waits = 0;          // `wait` fails for now, at once
  int64_t late = 0;           // work fails after its enqueue
};

// Throws sy::invalid for an option of a wrong kind or name.
Settings read_settings(const sy_host& host);

}  // namespace late
