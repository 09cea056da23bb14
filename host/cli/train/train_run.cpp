#include "cli/train/train_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/onnx_export.hpp>

namespace switchyard::cli {
namespace {

constexpr std::int64_t kTestBatch = 500;
constexpr std::int64_t kClasses = 10;

/// Its first parameters follow from the seed.
nn::Sequential make_network(std::uint64_t seed) {
  manual_seed(seed);
  const nn::ConvolutionOptions same{.bias = false, .padding = 1};  // the norm has one
  return nn::Sequential(nn::Conv2d(1, 16, 3, same), nn::BatchNorm2d(16), nn::ReLU(),
                        nn::MaxPool2d(2),  //
                        nn::Conv2d(16, 32, 3, same), nn::BatchNorm2d(32), nn::ReLU(),
                        nn::MaxPool2d(2),  //
                        nn::Flatten(), nn::Dropout(0.3), nn::Linear(32 * 7 * 7, 128), nn::ReLU(),
                        nn::Dropout(0.3), nn::Linear(128, kClasses));
}

TensorDataset examples(const std::string& folder, bool train, std::int64_t limit) {
  const LabelledImages all = fashion_mnist(folder, train);
  const std::int64_t count = all.labels.size();
  const std::int64_t kept = limit == 0 ? count : std::min(limit, count);
  return TensorDataset(all.images.narrow(0, 0, kept), all.labels.narrow(0, 0, kept));
}

/// As the network takes them: one channel of numbers from 0 to 1.
Tensor pictures(const Batch& batch, const Device& device) {
  return batch.input().to(device).to(DType::float32).unsqueeze(1) / 255;
}

Tensor classes(const Batch& batch, const Device& device) {
  return batch.target().to(device).to(DType::int64);
}

DType dtype_of(const std::string& precision) {
  return precision == "float16" ? DType::float16 : DType::bfloat16;
}

}  // namespace

FashionRun::FashionRun(const TrainSettings& settings, const std::string& folder, int workers)
    : settings_(settings),
      device_(current_device()),
      net_(make_network(settings.seed)),
      loader_(examples(folder, true, settings.limit), {.batch_size = settings.batch_size,
                                                       .seed = settings.seed,
                                                       .shuffle = true,
                                                       .workers = workers}),
      tests_(examples(folder, false, settings.limit),
             {.batch_size = kTestBatch, .workers = workers}),
      optimizer_(net_.parameters(), {.lr = settings.learning_rate}),
      schedule_(optimizer_, settings.learning_rate, settings.epochs * loader_.size()),
      scaler_({.enabled = settings.precision == "float16"}) {}

TrainingState FashionRun::state() {
  return {.model = net_,
          .optimizer = optimizer_,
          .schedule = &schedule_,
          .scaler = &scaler_,
          .loader = &loader_};
}

void FashionRun::resume(const std::string& checkpoint) {
  const CheckpointMetadata metadata = load_checkpoint(checkpoint, state());
  const auto history = metadata.find("history");
  history_ = history_from(checkpoint, history == metadata.end() ? "" : history->second);
  check_epochs(checkpoint);
}

/// The loader tells how many epochs are over, and so does the history.
void FashionRun::check_epochs(const std::string& checkpoint) const {
  const std::uint64_t over = loader_.state().epoch;
  const auto most = static_cast<std::uint64_t>(settings_.epochs);
  if (over <= most && over == history_.losses.size()) return;
  throw Error(ErrorKind::model,
              fmt::format("{}: it is in epoch {} of {} and has the losses of {}; give a "
                          "checkpoint that `switchyard train` wrote",
                          checkpoint, over, most, history_.losses.size()));
}

void FashionRun::save(const std::string& checkpoint) {
  save_checkpoint(checkpoint, state(),
                  {{"settings", text_of(settings_)}, {"history", text_of(history_)}});
}

double FashionRun::train_step(const Batch& batch) {
  optimizer_.zero_grad();
  Tensor loss;
  {
    const bool reduced = settings_.precision != "float32";
    const Autocast scope(dtype_of(settings_.precision), reduced);
    loss = cross_entropy(net_(pictures(batch, device_)), classes(batch, device_));
  }
  scaler_.scale(loss).backward();
  scaler_.step(optimizer_);
  scaler_.update();
  schedule_.step();
  return loss.item();
}

bool FashionRun::train_epoch(TrainingProgress& progress, const std::function<bool()>& stops) {
  progress.begin_epoch(epoch(), loader_.state().position);
  net_.train();
  for (const Batch& batch : loader_) {
    const double loss = train_step(batch);
    history_.add_batch(batch.input().size(0), loss);
    progress.advance(batch.input().size(0), loss);
    if (stops()) return false;
  }
  history_.end_epoch(accuracy());
  progress.end_epoch(fmt::format("accuracy {:.4f}", history_.accuracies.back()));
  return true;
}

/// Of the network as it will be served, in float32.
double FashionRun::accuracy() {
  const NoGrad no_grad;
  net_.eval();
  std::int64_t right = 0, all = 0;
  for (const Batch& batch : tests_) {
    const Tensor answers = net_(pictures(batch, device_)).argmax(1);
    right += count_nonzero(answers == classes(batch, device_)).item<std::int64_t>();
    all += answers.size();
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

void FashionRun::write_model(const std::string& file) const {
  export_onnx(net_, zeros({1, 1, 28, 28}), file,
              {.batch = "N", .input = "image", .output = "logits"});
}

std::int64_t FashionRun::epoch() const { return static_cast<std::int64_t>(loader_.state().epoch); }

std::int64_t FashionRun::parameter_count() const {
  std::int64_t count = 0;
  for (const Tensor& parameter : net_.parameters()) count += parameter.size();
  return count;
}

}  // namespace switchyard::cli
