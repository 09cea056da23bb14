#include "software/compile/preprocess.hpp"

#include <vector>

#include "software/compile/files.hpp"
#include "software/compile/process.hpp"
#include "software/translator/translate.hpp"

namespace mps::software {

std::string preprocess(const std::string& compiler, const seam::Source& source,
                       const std::string& stem) {
  const TemporaryFile given(stem + ".metal");
  const TemporaryFile processed(stem + ".ii");
  write_file(given.path(), prepare(source.text, source.name));
  std::vector<std::string> command{compiler};
  for (std::string& flag : preprocessor_flags()) command.push_back(std::move(flag));
  command.insert(command.end(), {"-x", "c++", given.path(), "-o", processed.path()});
  run_compiler(command);
  return read_file(processed.path());
}

}  // namespace mps::software
