// A plugin that is wrapped: its own table, the one that the host gets, and all handles that live.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/plugin.h>

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "handles.hpp"
#include "record.hpp"

namespace validation {

struct Plugin {
  sy_plugin inner = {};  // slots that the plugin left out are null
  sy_plugin table = {};
  std::list<std::vector<char>> links;            // of the table's chain
  const sy_kernel_compiler* compiler = nullptr;  // the plugin's own
  Record record;

  std::mutex guard;  // of all that follows; not held while the plugin is called
  std::map<const sy_host*, std::shared_ptr<Entered>> entered;
  std::shared_ptr<Entered> entered_last;  // whom calls count for that name nothing that lives
  HandleNumbers numbers;
  Handles<sy_device, Device> devices;
  Handles<sy_stream, Stream> streams;
  Handles<sy_event, Event> events;
  Handles<sy_kernel, Kernel> kernels;
  // By device and handle. Where handles are pointers, they are the plugin's.
  std::map<std::pair<const Device*, sy_storage>, std::shared_ptr<Storage>> storages;
};

// The one that stands for this table of a plugin's, made if there is none yet. Lives for ever.
// Throws sy::unsupported beyond the 32nd.
Plugin& wrap(const sy_plugin& given);

}  // namespace validation
