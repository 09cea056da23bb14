#include <switchyard/autograd.hpp>
#include <switchyard/averaged_model.hpp>
#include <switchyard/error.hpp>
#include <switchyard/nn/normalization.hpp>

namespace switchyard::optim {
namespace {

std::vector<nn::BatchNorm*> tracking_modules(nn::Module& model) {
  std::vector<nn::BatchNorm*> found;
  for (const auto& entry : model.named_modules()) {
    auto* module = dynamic_cast<nn::BatchNorm*>(entry.second);
    if (module && module->running_mean.defined()) found.push_back(module);
  }
  return found;
}

/// All modules average over all batches, in training, until it goes.
class Averaging {
 public:
  Averaging(nn::Module& model, std::vector<nn::BatchNorm*> norms)
      : model_(model), norms_(std::move(norms)), was_training_(model.is_training()) {
    for (nn::BatchNorm* norm : norms_) {
      norm->running_mean.zero_();
      norm->running_var.fill_(1);
      norm->num_batches_tracked.zero_();
      norm->average_all_batches(true);
    }
    model_.train();
  }
  ~Averaging() {
    for (nn::BatchNorm* norm : norms_) norm->average_all_batches(false);
    model_.train(was_training_);
  }
  Averaging(const Averaging&) = delete;
  Averaging& operator=(const Averaging&) = delete;

 private:
  nn::Module& model_;
  std::vector<nn::BatchNorm*> norms_;
  bool was_training_;
};

}  // namespace

void update_bn(DataLoader& loader, nn::Module& model,
               const std::function<Tensor(const Batch&)>& input_of) {
  const std::vector<nn::BatchNorm*> norms = tracking_modules(model);
  if (norms.empty()) return;
  const NoGrad no_grad;
  const Averaging averaging(model, norms);
  const Device device = norms[0]->running_mean.device();
  for (const Batch& batch : loader) {
    static_cast<void>(model(input_of ? input_of(batch) : batch.input().to(device)));
  }
}

}  // namespace switchyard::optim
