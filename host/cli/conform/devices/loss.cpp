#include <memory>
#include <optional>

#include "cli/conform/devices/device_cases.hpp"
#include "cli/conform/devices/loss_listener.hpp"
#include "cli/conform/devices/test_bytes.hpp"
#include "cli/conform/devices/test_op.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::size_t kStorageBytes = 1000;

/// What is made on a device, as long as it is there.
class Generation {
 public:
  explicit Generation(TestDevice& device)
      : stream_(device),
        storage_(device, kStorageBytes, &stream_),
        op_(first_op(stream_)),
        kernel_(prepared(stream_, op_)),
        work_(stream_, op_.calls[0], form_, kernel_->prepared()) {
    storage_.write(stream_, test_bytes(kStorageBytes, 1));
  }

  /// Runs the kernel on the tensors that it had the first time, and waits.
  Answer run() {
    const Answer enqueued = was_run_ ? work_.enqueue_again() : work_.enqueue();
    was_run_ = true;
    if (!enqueued.ok() || stream_.device().synchronous()) return enqueued;
    return stream_.try_wait(work_.number());
  }

  /// Fails the case unless memory and kernel are what they should be.
  void require_whole(std::string_view what) {
    require_bytes(storage_.read(stream_), test_bytes(kStorageBytes, 1), what);
    op_.run(stream_, *kernel_, 1);
  }

 private:
  TestStream stream_;
  const TestStorage storage_;
  const TestOp op_;
  const std::unique_ptr<TestKernel> kernel_;
  const RunForm form_;
  KernelCall work_;
  bool was_run_ = false;
};

/// A device that has lost itself.
class LostDevice {
 public:
  /// Throws CaseSkipped where it does not lose itself in a few runs.
  explicit LostDevice(CaseRun& run)
      : listener_(LossListener::make()), device_(std::in_place, run, listener_.abi()) {
    before_ = std::make_unique<Generation>(*device_);
    for (int round = 0; round < 3; ++round) {
      const Answer answer = before_->run();
      listener_.check();
      if (answer.status == SY_DEVICE_LOST || listener_.was_told()) return;
      require_ok(answer, "run");
    }
    skip("it has not lost its device: an --option of its own may make it do so");
  }
  ~LostDevice() {
    before_.reset();
    device_.reset();
    listener_.close();
  }
  LostDevice(const LostDevice&) = delete;
  LostDevice& operator=(const LostDevice&) = delete;

  TestDevice& device() { return *device_; }
  Generation& before() { return *before_; }
  void release_before() { before_.reset(); }

  /// False where it stays lost, which is noted.
  bool recovers() {
    auto args = sized<sy_device_args>();
    args.device = device_->handle();
    const Answer answer = call("recover", device_->slots().recover, args);
    if (answer.ok()) return true;
    device_->run().left_out.push_back(fmt::format("recover returned {}", answer.text()));
    return false;
  }

 private:
  LossListener& listener_;
  std::optional<TestDevice> device_;
  std::unique_ptr<Generation> before_;
};

}  // namespace

void try_loss(CaseRun& run) {
  LostDevice lost(run);
  for (int time = 0; time < 2; ++time) {
    if (!lost.before().run().ok()) continue;
    fail(
        "the device is lost, and yet a run on storages from before it was returned SY_OK: what "
        "they "
        "held is gone");
  }
}

void try_recovery_of_lost(CaseRun& run) {
  LostDevice lost(run);
  if (!lost.recovers()) return;
  Generation after(lost.device());
  lost.release_before();
  after.require_whole("a storage from after `recover`, when those from before are released");
}

void try_recovery_twice(CaseRun& run) {
  LostDevice lost(run);
  if (!lost.recovers()) return;
  lost.release_before();
  {
    Generation between(lost.device());
    between.require_whole("a storage from after `recover`");
    if (!lost.recovers()) fail("recover of a device that works: {}", run.left_out.back());
  }
  Generation(lost.device()).require_whole("a storage from after a second `recover`");
}

}  // namespace switchyard::cli::conform
