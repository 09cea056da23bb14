// Fault injection through its C table alone: faults come as the options say, and keep to plugin.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "plugin-api/plugin_driver.hpp"
#include "test_folders.hpp"

namespace fault_injection {
namespace {

using driver::make;
using Statuses = std::vector<sy_status>;

const std::string kBuild = SWITCHYARD_BUILD_DIR;

// A host with options, which lives as long as the process, as plugin.h has it.
class Options {
 public:
  Options& text(const char* key, const std::string& value) {
    sy_option& option = add(key, SY_OPTION_STRING);
    option.text = texts_.emplace_back(value).c_str();
    return *this;
  }
  Options& integer(const char* key, int64_t value) {
    add(key, SY_OPTION_INT).integer = value;
    return *this;
  }
  Options& chance(const char* key, double value) {
    add(key, SY_OPTION_FLOAT).real = value;
    return *this;
  }
  Options& words(const char* key, const std::vector<std::string>& values) {
    std::vector<sy_option>& items = lists_.emplace_back();
    for (const std::string& value : values) {
      sy_option item = make<sy_option>();
      item.kind = SY_OPTION_STRING;
      item.key = "";
      item.text = texts_.emplace_back(value).c_str();
      items.push_back(item);
    }
    sy_option& option = add(key, SY_OPTION_LIST);
    option.items = items.data();
    option.item_count = items.size();
    return *this;
  }

  const sy_host& host() {
    host_.thread_limit = 1;
    host_.library_path = "";
    host_.options = options_.data();
    host_.option_count = options_.size();
    host_.log = [](void*, sy_log_level, const char*) {};
    return host_;
  }

 private:
  sy_option& add(const char* key, sy_option_kind kind) {
    sy_option option = make<sy_option>();
    option.kind = kind;
    option.key = key;
    return options_.emplace_back(option);
  }

  std::deque<std::string> texts_;
  std::deque<std::vector<sy_option>> lists_;
  std::vector<sy_option> options_;
  sy_host host_ = make<sy_host>();
};

// In front of `cpu`.
Options& wrapping_cpu() {
  static auto& kept = *new std::deque<Options>;
  return kept.emplace_back()
      .text("wraps", kBuild + "/plugins/libswitchyard_cpu.so")
      .integer("threads", 1);
}

// The plugin as it was entered for a host.
class Entered {
 public:
  explicit Entered(Options& options) : host_(options.host()) {
    static const sy_plugin_entry entry =
        driver::find_entry(kBuild + "/fake-plugins/libswitchyard_fake_faults.so");
    auto args = make<sy_entry_args>();
    args.min_version = args.max_version = SY_ABI_VERSION;
    args.host = &host_;
    status = entry(&args, &error);
    plugin = args.plugin;
  }

  // Null if it does not open.
  sy_device open() {
    auto args = make<sy_open_device_args>();
    args.host = &host_;
    args.listener = &driver::listener();
    EXPECT_EQ(plugin->open_device(&args, &error), SY_OK) << error.message;
    return args.device;
  }

  sy_status allocate(sy_device device, sy_storage* storage = nullptr) {
    auto args = make<sy_allocate_args>();
    args.device = device;
    args.size_bytes = 256;
    const sy_status result = plugin->allocate(&args, &error);
    if (storage != nullptr) *storage = args.storage;
    if (result == SY_OK && storage == nullptr) release(device, args.storage);
    return result;
  }

  sy_status release(sy_device device, sy_storage storage) {
    auto args = make<sy_storage_args>();
    args.device = device;
    args.storage = storage;
    return plugin->release(&args, &error);
  }

  sy_status create_stream(sy_device device, sy_stream* stream) {
    auto args = make<sy_create_stream_args>();
    args.device = device;
    const sy_status result = plugin->create_stream(&args, &error);
    *stream = args.stream;
    return result;
  }

  // Copies one number within the host's memory and gives the number of the work.
  sy_status copy(sy_device device, sy_stream stream, uint64_t* sequence) {
    sy_storage storage = 0;
    EXPECT_EQ(allocate(device, &storage), SY_OK);
    const float source = 3;
    const sy_region from = driver::host_region(&source);
    const sy_region to = driver::storage_region(storage);
    auto args = make<sy_copy_args>();
    args.dtype = SY_FLOAT32;
    args.device = device;
    args.stream = stream;
    args.source = &from;
    args.destination = &to;
    const sy_status result = plugin->copy(&args, &error);
    *sequence = args.sequence;
    EXPECT_EQ(release(device, storage), SY_OK);
    return result;
  }

  sy_status wait(sy_stream stream, uint64_t sequence) {
    auto args = make<sy_wait_args>();
    args.stream = stream;
    args.sequence = sequence;
    return plugin->wait(&args, &error);
  }

  std::string report() {
    std::string text;
    auto writer = make<sy_writer>();
    writer.context = &text;
    writer.write = [](void* context, const char* piece, uint64_t size) -> sy_status {
      static_cast<std::string*>(context)->append(piece, size);
      return SY_OK;
    };
    auto args = make<sy_report_args>();
    args.writer = &writer;
    EXPECT_EQ(plugin->report(&args, &error), SY_OK);
    return text;
  }

  sy_status status = SY_BUG;
  const sy_plugin* plugin = nullptr;
  sy_error error = make<sy_error>();

 private:
  const sy_host& host_;
};

Statuses allocations(Options& options, int count) {
  Entered entered(options);
  EXPECT_EQ(entered.status, SY_OK) << entered.error.message;
  const sy_device device = entered.open();
  Statuses statuses;
  for (int i = 0; i < count; ++i) statuses.push_back(entered.allocate(device));
  return statuses;
}

Options& failing_allocations(int64_t seed) {
  return wrapping_cpu()
      .integer("faults.seed", seed)
      .chance("faults.status", 0.25)
      .words("faults.calls", {"allocate"})
      .words("faults.statuses", {"unsupported", "invalid", "transient", "bug"});
}

TEST(FaultInjection, IsTheSameForASeed) {
  const Statuses first = allocations(failing_allocations(5), 400);
  EXPECT_EQ(first, allocations(failing_allocations(5), 400));
  EXPECT_NE(first, allocations(failing_allocations(6), 400));
  const auto worked = std::count(first.begin(), first.end(), SY_OK);
  EXPECT_GT(worked, 240);
  EXPECT_LT(worked, 360);
  for (const sy_status status : {SY_UNSUPPORTED, SY_INVALID, SY_TRANSIENT, SY_BUG}) {
    EXPECT_GT(std::count(first.begin(), first.end(), status), 5) << status;
  }
  EXPECT_EQ(std::count(first.begin(), first.end(), SY_DEVICE_LOST), 0);
}

TEST(FaultInjection, BeginsAfterSomeCallsOfASlot) {
  const Statuses statuses = allocations(wrapping_cpu()
                                            .chance("faults.status", 1)
                                            .words("faults.calls", {"allocate"})
                                            .words("faults.statuses", {"transient"})
                                            .integer("faults.after", 3),
                                        5);
  EXPECT_EQ(statuses, (Statuses{SY_OK, SY_OK, SY_OK, SY_TRANSIENT, SY_TRANSIENT}));
}

TEST(FaultInjection, SaysWhatItHasInjected) {
  Entered entered(
      wrapping_cpu().chance("faults.wrong_status", 1).words("faults.calls", {"allocate"}));
  const sy_device device = entered.open();
  sy_storage storage = 0;
  const sy_status status = entered.allocate(device, &storage);
  EXPECT_TRUE(status == 77 || status == -1) << status;
  EXPECT_EQ(storage, 0u);
  EXPECT_STREQ(entered.error.message, "fault injection: call 1 of allocate");
  EXPECT_EQ(entered.report().find("faults: 2 calls; delay 0, status 0, wrong_status 1,"), 0u)
      << entered.report();
}

TEST(FaultInjection, EndsAHandleThatItSaysItDoesNotEnd) {
  Entered entered(wrapping_cpu().chance("faults.status", 1).words("faults.calls", {"release"}));
  const sy_device device = entered.open();
  sy_storage storage = 0;
  ASSERT_EQ(entered.allocate(device, &storage), SY_OK);
  const sy_status status = entered.release(device, storage);
  EXPECT_TRUE(status == SY_UNSUPPORTED || status == SY_INVALID || status == SY_BUG) << status;
  EXPECT_NE(entered.report().find("storages: 0"), std::string::npos) << entered.report();
}

TEST(FaultInjection, KeepsADeviceLostUntilItRecovers) {
  Entered entered(wrapping_cpu()
                      .chance("faults.status", 1)
                      .words("faults.calls", {"allocate"})
                      .words("faults.statuses", {"device_lost"}));
  const sy_device device = entered.open();
  sy_stream stream = nullptr;
  EXPECT_EQ(entered.create_stream(device, &stream), SY_OK);
  EXPECT_EQ(entered.allocate(device), SY_DEVICE_LOST);
  sy_stream second = nullptr;
  EXPECT_EQ(entered.create_stream(device, &second), SY_DEVICE_LOST);
  EXPECT_EQ(entered.wait(stream, 0), SY_DEVICE_LOST);
  auto args = make<sy_device_args>();
  args.device = device;
  EXPECT_EQ(entered.plugin->recover(&args, nullptr), SY_OK);
  EXPECT_EQ(entered.create_stream(device, &second), SY_OK);
}

TEST(FaultInjection, GivesWorkAnotherNumberThanTheNext) {
  Entered entered(
      wrapping_cpu().chance("faults.wrong_sequence", 1).words("faults.calls", {"copy"}));
  const sy_device device = entered.open();
  sy_stream stream = nullptr;
  ASSERT_EQ(entered.create_stream(device, &stream), SY_OK);
  for (uint64_t next = 1; next < 20; ++next) {
    uint64_t given = 0;
    EXPECT_EQ(entered.copy(device, stream, &given), SY_OK);
    EXPECT_NE(given, next);
  }
}

TEST(FaultInjection, FailsTheSameWorkInEveryWait) {
  Entered entered(wrapping_cpu()
                      .chance("faults.status", 0.3)
                      .words("faults.calls", {"wait"})
                      .words("faults.statuses", {"invalid", "transient", "bug", "unsupported"}));
  const sy_device device = entered.open();
  sy_stream stream = nullptr;
  ASSERT_EQ(entered.create_stream(device, &stream), SY_OK);
  sy_status failed = SY_OK;
  for (int i = 0; i < 100; ++i) {
    uint64_t sequence = 0;
    ASSERT_EQ(entered.copy(device, stream, &sequence), SY_OK);
    const sy_status status = entered.wait(stream, sequence);
    if (failed != SY_OK) {
      EXPECT_EQ(status, failed) << i;
    } else {
      failed = status;
    }
  }
  EXPECT_NE(failed, SY_OK);
}

TEST(FaultInjection, RefusesWhatWouldEndTheProgram) {
  for (const char* fault : {"faults.crash", "faults.hang"}) {
    const Entered entered(wrapping_cpu().chance(fault, 0.5));
    EXPECT_EQ(entered.status, SY_INVALID);
    EXPECT_NE(std::string(entered.error.message).find("set isolation"), std::string::npos)
        << entered.error.message;
  }
}

TEST(FaultInjection, RefusesOptionsThatNobodyKnows) {
  struct {
    Options& options;
    const char* message;
  } const cases[] = {
      {wrapping_cpu().integer("faults.often", 1), "no option faults.often"},
      {wrapping_cpu().words("faults.calls", {"sing"}), "plugin.h has no slot of that name"},
      {wrapping_cpu().words("faults.statuses", {"ok"}), "the statuses are unsupported, "},
      {wrapping_cpu().chance("faults.status", 1.5), "option faults.status is 1.5"},
      {wrapping_cpu().integer("nonsense", 1), "no option nonsense"},  // the wrapped plugin's words
  };
  for (const auto& wrong : cases) {
    const Entered entered(wrong.options);
    EXPECT_EQ(entered.status, SY_INVALID);
    EXPECT_NE(std::string(entered.error.message).find(wrong.message), std::string::npos)
        << entered.error.message;
  }
}

}  // namespace
}  // namespace fault_injection
