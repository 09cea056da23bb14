// switchyard_collective_processes CASE KIND PLUGIN KERNELS: starts itself once for each rank, with
// the id as a word of the command line, and looks at how they end.
//   computes    every rank reduces, gathers and sends, and sees what it should
//   loses_one   a rank is killed: the others end in an error, and not in a hang
//   forks       in a child of fork() a communicator is an error, and its parent's goes on
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <switchyard/switchyard.hpp>

extern char** environ;

namespace {

using namespace switchyard;

constexpr int ranks = 3;

Runtime start(const std::vector<std::string>& words) {
  return Runtime::from_text(
      "[host]\nlog_level = \"error\"\n[routing]\norder = [\"late\"]\n"
      "[plugins.late]\nlibrary = \"" +
      words[3] +
      "\"\n"
      "[plugins.cpu]\nlibrary = \"" +
      words[4] +
      "\"\n"
      "[plugins.late.options]\nkernels = \"" +
      words[4] +
      "\"\n"
      "devices = 2\ncollectives = true\nsynchronous = " +
      (words[2] == "synchronous" ? "true" : "false") + "\n");
}

void require(bool is_so, const char* what) {
  if (is_so) return;
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

void compute(const Communicator& rank) {
  const auto number = static_cast<float>(rank.rank());
  const Tensor many = full({20000}, number + 1);
  rank.all_reduce_(many);
  require(many.to_vector<float>() == std::vector<float>(20000, 6), "the sum is another");
  const Tensor all = rank.all_gather(full({}, number));
  require(all.to_vector<float>() == std::vector<float>({0, 1, 2}), "what was gathered is another");
  const Tensor received = full({5000}, -1.0F);
  CollectiveGroup group;
  rank.send(full({5000}, number), (rank.rank() + 1) % ranks);
  rank.receive_(received, (rank.rank() + ranks - 1) % ranks);
  group.run();
  const auto before = static_cast<float>((rank.rank() + ranks - 1) % ranks);
  require(received.to_vector<float>() == std::vector<float>(5000, before),
          "what was received is another");
}

void lose_one(const Communicator& rank) {
  (void)rank.all_reduce(full({4}, 1.0F)).to_vector<float>();
  if (rank.rank() == 1) std::raise(SIGKILL);
  try {
    (void)rank.all_reduce(full({4}, 1.0F)).to_vector<float>();
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::peer_lost, error.what());
    return;
  }
  require(false, "nothing was thrown");
}

int be_rank(const std::vector<std::string>& words) {
  const Runtime runtime = start(words);
  const RuntimeScope scope(runtime);
  const Communicator rank(runtime.device("late"), CommunicatorId::from_text(words[5]),
                          std::stoi(words[6]), ranks);
  words[1] == "computes" ? compute(rank) : lose_one(rank);
  return 0;
}

void use_in_child(std::vector<Communicator>& ends, const Tensor& tensor) {
  try {
    ends[0].all_reduce_(tensor);
    require(false, "a communicator has crossed a fork()");
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::device_unavailable, error.what());
  }
  ends.clear();  // the parent has not left
}

int fork_one(const std::vector<std::string>& words) {
  const Runtime runtime = start(words);
  const std::vector<Device> devices{runtime.device("late:0"), runtime.device("late:1")};
  std::vector<Communicator> ends = Communicator::all(devices);
  const std::vector<Tensor> tensors{full({3}, 1.0F, {.device = devices[0]}),
                                    full({3}, 2.0F, {.device = devices[1]})};
  for (const Device& device : devices) device.synchronize();
  const pid_t child = fork();
  if (child == 0) {
    use_in_child(ends, tensors[0]);
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  require(status == 0, "the child has failed");
  CollectiveGroup group;
  for (std::size_t i = 0; i < ends.size(); ++i) ends[i].all_reduce_(tensors[i]);
  group.run();
  require(tensors[0].to_vector<float>() == std::vector<float>(3, 3), "the sum is another");
  return 0;
}

pid_t start_rank(std::vector<std::string> words, const std::string& id, int rank) {
  words.push_back(id);
  words.push_back(std::to_string(rank));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  require(posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, pointers.data(), environ) == 0,
          "a process cannot be started");
  return child;
}

int start_all(const std::vector<std::string>& words) {
  std::string id;
  {
    const Runtime runtime = start(words);
    id = CommunicatorId::make(runtime.device("late")).text();
  }
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) children.push_back(start_rank(words, id, rank));
  bool all_well = true;
  for (int rank = 0; rank < ranks; ++rank) {
    int status = 0;
    waitpid(children[static_cast<std::size_t>(rank)], &status, 0);
    const bool is_killed = words[1] == "loses_one" && rank == 1;
    const bool is_well = is_killed ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                                   : WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!is_well) std::fprintf(stderr, "rank %d ended with status %d\n", rank, status);
    all_well = all_well && is_well;
  }
  return all_well ? 0 : 1;
}

}  // namespace

int main(int count, char** given) try {
  const std::vector<std::string> words(given, given + count);
  if (count == 5 && words[1] == "forks") return fork_one(words);
  if (count == 5) return start_all(words);
  if (count == 7) return be_rank(words);
  std::fprintf(stderr, "see main.cpp for the words\n");
  return 2;
} catch (const switchyard::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
