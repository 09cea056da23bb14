// A run that is interrupted anywhere, and goes on from its checkpoint, gives the bytes of one that
// was not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <switchyard/checkpoint.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/io.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/optim.hpp>

#include "functions/creation/new_tensor.hpp"
#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

/// A small run with all that a checkpoint keeps: dropout draws numbers, the norm has buffers.
struct SmallRun {
  explicit SmallRun(std::uint64_t seed) : net(made(seed)) {}

  static nn::Sequential made(std::uint64_t seed) {
    manual_seed(seed);
    return nn::Sequential(nn::Linear(6, 8), nn::BatchNorm1d(8), nn::ReLU(), nn::Dropout(0.3),
                          nn::Linear(8, 3));
  }
  static TensorDataset examples() {
    std::vector<float> inputs(40 * 6);
    std::vector<std::int64_t> targets(40);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<float>(i * 37 % 23) / 9;
    for (std::size_t i = 0; i < targets.size(); ++i)
      targets[i] = static_cast<std::int64_t>(i * i % 3);
    return TensorDataset(host_tensor({40, 6}, inputs), host_tensor({40}, targets));
  }
  TrainingState state() {
    return {.model = net,
            .optimizer = optimizer,
            .schedule = &schedule,
            .scaler = &scaler,
            .loader = &loader};
  }

  /// Trains until `steps` steps were made in all.
  void train_to(int steps) {
    while (made_steps < steps) {
      for (const Batch& batch : loader) {
        optimizer.zero_grad();
        const Tensor loss = cross_entropy(net(place(batch.input())), place(batch.target()));
        scaler.scale(loss).backward();
        scaler.step(optimizer);
        scaler.update();
        schedule.step();
        if (++made_steps == steps) return;
      }
    }
  }

  nn::Sequential net;
  optim::AdamW optimizer{net.parameters(), {.lr = 0.01}};
  optim::OneCycleLR schedule{optimizer, 0.01, 100};
  optim::GradScaler scaler;
  DataLoader loader{examples(), {.batch_size = 7, .seed = 3, .shuffle = true}};
  int made_steps = 0;
};

class Checkpoint : public ::testing::Test {
 protected:
  fs::path file(const std::string& name) const { return folder_.path() / name; }

 private:
  const TemporaryFolder folder_;
};

TEST_F(Checkpoint, GoesOnExactlyAfterAnyStep) {
  SmallRun whole(1);
  whole.train_to(20);
  save_checkpoint(file("whole"), whole.state());
  for (const int stop : {1, 5, 6, 7, 13}) {  // an epoch has 6 batches
    SCOPED_TRACE(stop);
    SmallRun first(1);
    first.train_to(stop);
    save_checkpoint(file("part"), first.state());
    SmallRun second(2);
    load_checkpoint(file("part"), second.state());
    second.made_steps = stop;
    second.train_to(20);
    save_checkpoint(file("resumed"), second.state());
    EXPECT_TRUE(bytes_in(file("resumed")) == bytes_in(file("whole")));
  }
}

TEST_F(Checkpoint, ChangesNothingByBeingSaved) {
  SmallRun run(1);
  run.train_to(4);
  save_checkpoint(file("once"), run.state());
  save_checkpoint(file("twice"), run.state());
  EXPECT_TRUE(bytes_in(file("once")) == bytes_in(file("twice")));
}

TEST_F(Checkpoint, KeepsASchedulesPatience) {
  SmallRun run(1), other(2);
  optim::ReduceLROnPlateau worn(run.optimizer, {.patience = 2}),
      fresh(other.optimizer, {.patience = 2});
  for (int i = 0; i < 3; ++i) worn.step(1.0);
  save_checkpoint(file("worn"), {run.net, run.optimizer, &worn});
  load_checkpoint(file("worn"), {other.net, other.optimizer, &fresh});
  const double before = other.optimizer.lr(0);
  fresh.step(1.0);
  EXPECT_LT(other.optimizer.lr(0), before) << "the third epoch that is no better";
}

TEST_F(Checkpoint, KeepsNotes) {
  SmallRun run(1);
  run.train_to(2);
  save_checkpoint(file("noted"), run.state(), {{"epoch", "3"}, {"loss", "0.5 \"x\""}});
  EXPECT_THAT(checkpoint_metadata(file("noted")),
              ElementsAre(Pair("epoch", "3"), Pair("loss", "0.5 \"x\"")));
  EXPECT_THAT(load_checkpoint(file("noted"), run.state()),
              ElementsAre(Pair("epoch", "3"), Pair("loss", "0.5 \"x\"")));
}

template <typename Call>
std::string error_line(ErrorKind kind, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

TEST_F(Checkpoint, RefusesOtherFilesAndOtherParts) {
  SmallRun run(1);
  run.train_to(2);
  save_safetensors(file("weights"), run.net.state_dict());
  EXPECT_THAT(error_line(ErrorKind::model, [&] { load_checkpoint(file("weights"), run.state()); }),
              HasSubstr("this is not a checkpoint"));
  save_checkpoint(file("less"), {.model = run.net, .optimizer = run.optimizer});
  EXPECT_THAT(
      error_line(ErrorKind::invalid_argument, [&] { load_checkpoint(file("less"), run.state()); }),
      HasSubstr("it holds no schedule"));
  save_checkpoint(file("more"), run.state());
  const TrainingState less{.model = run.net, .optimizer = run.optimizer};
  EXPECT_THAT(error_line(ErrorKind::invalid_argument, [&] { load_checkpoint(file("more"), less); }),
              HasSubstr("it holds a schedule"));
  nn::Sequential other(nn::Linear(2, 2));
  TrainingState unlike = run.state();
  const TrainingState wrong{other, unlike.optimizer, unlike.schedule, unlike.scaler, unlike.loader};
  EXPECT_THAT(
      error_line(ErrorKind::invalid_argument, [&] { load_checkpoint(file("more"), wrong); }),
      AllOf(HasSubstr("more: "), HasSubstr("does not fit the module")));
}

}  // namespace
}  // namespace switchyard
