// Which file is read, whether it may be, and where its libraries are looked for.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/environment.hpp"
#include "config/library_search.hpp"
#include "config/trusted_file.hpp"
#include "config/trusted_path.hpp"
#include "config_test_support.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

class LoadConfig : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text = two_plugins,
                    mode_t mode = 0644) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

  std::string path(const std::string& name) const { return folder_.path() / name; }

  const TemporaryFolder folder_;
};

TEST_F(LoadConfig, TheFlagGoesBeforeTheEnvironmentAndThatBeforeTheInstalledFile) {
  ConfigRequest request;
  request.file = write("flag.toml");
  request.environment = {{config_file_variable, write("environment.toml")}};
  request.installed_file = write("installed.toml");
  EXPECT_EQ(load_config(request).source, path("flag.toml"));
  request.file = "";
  EXPECT_EQ(load_config(request).source, path("environment.toml"));
  request.environment = {};
  EXPECT_EQ(load_config(request).source, path("installed.toml"));
  EXPECT_EQ(load_config(request).folder, folder_.path());
  EXPECT_EQ(origin_of(load_config(request), "routing.order"), path("installed.toml") + ":5:9");
}

TEST_F(LoadConfig, SaysWhenThereIsNoFile) {
  ConfigRequest request;
  request.environment = {};
  EXPECT_EQ(error_of([&] { load_config(request); }),
            "no configuration is named; name one with --config FILE or SWITCHYARD_CONFIG=FILE");
  request.installed_file = path("gone.toml");
  EXPECT_EQ(error_of([&] { load_config(request); }),
            "no configuration is named, and " + path("gone.toml") +
                " does not exist; name one with --config FILE or SWITCHYARD_CONFIG=FILE");
  request.file = path("gone.toml");
  EXPECT_EQ(error_of([&] { load_config(request); }),
            path("gone.toml") +
                ": cannot be opened: No such file or directory; name a configuration file with "
                "--config");
}

TEST_F(LoadConfig, SaysWhyAnInstalledFileCannotBeRead) {
  ConfigRequest request;
  request.environment = {};
  request.installed_file = path("loop.toml");
  fs::create_symlink("loop.toml", request.installed_file);
  EXPECT_EQ(error_of([&] { load_config(request); }),
            path("loop.toml") +
                ": cannot be opened: Too many levels of symbolic links; name a configuration file "
                "with --config");
  if (geteuid() == 0) GTEST_SKIP() << "root reads every file";
  request.installed_file = write("shut/default.toml");
  for (const char* shut : {"shut/default.toml", "shut"}) {
    chmod(path(shut).c_str(), 0);
    EXPECT_EQ(error_of([&] { load_config(request); }),
              path("shut/default.toml") +
                  ": cannot be opened: Permission denied; name a configuration file with --config");
    chmod(path(shut).c_str(), 0700);
  }
}

TEST_F(LoadConfig, AnElevatedProcessHasNoEnvironment) {
  ASSERT_FALSE(is_elevated_process());
  setenv("SWITCHYARD_CONFIG", "/x.toml", 1);
  setenv("SWITCHYARD_LOG", "debug", 1);
  const Environment both = {{"SWITCHYARD_CONFIG", "/x.toml"}, {"SWITCHYARD_LOG", "debug"}};
  EXPECT_EQ(read_environment(false), both);
  EXPECT_EQ(read_environment(true), Environment{});
  setenv("SWITCHYARD_LOG", "", 1);
  unsetenv("SWITCHYARD_CONFIG");
  EXPECT_EQ(read_environment(false), Environment{});
  unsetenv("SWITCHYARD_LOG");
}

TEST_F(LoadConfig, RefusesAFileThatOthersCanWrite) {
  ConfigRequest request;
  request.file = write("open.toml", two_plugins, 0646);
  EXPECT_EQ(error_of([&] { load_config(request); }),
            request.file + ": the file " + request.file +
                " can be written to by others; run: chmod o-w '" + request.file + "'");
  chmod(request.file.c_str(), 0644);
  EXPECT_EQ(load_config(request).plugins.size(), 2u);
}

TEST_F(LoadConfig, RefusesAFolderThatOthersCanWriteUnlessSticky) {
  ConfigRequest request;
  request.file = write("sub/site.toml");
  chmod(path("sub").c_str(), 0777);
  EXPECT_EQ(error_of([&] { load_config(request); }),
            request.file + ": the folder " + path("sub") +
                " can be written to by others; run: chmod o-w '" + path("sub") + "'");
  chmod(path("sub").c_str(), 01777);
  EXPECT_EQ(load_config(request).plugins.size(), 2u);
}

TEST_F(LoadConfig, LooksBehindLinks) {
  const std::string target = write("open/site.toml");
  chmod(path("open").c_str(), 0777);
  fs::create_symlink(target, folder_.path() / "link.toml");
  EXPECT_NE(why_untrusted(path("link.toml")), std::nullopt);
  chmod(path("open").c_str(), 0755);
  EXPECT_EQ(why_untrusted(path("link.toml")), std::nullopt);
}

TEST_F(LoadConfig, RefusesWhatIsNoPlainFile) {
  EXPECT_EQ(error_of([&] { read_trusted_file(folder_.path()); }),
            folder_.path().string() +
                ": cannot be opened: Is a directory; name a configuration file with --config");
  mkfifo(path("pipe").c_str(), 0600);
  EXPECT_EQ(error_of([&] { read_trusted_file(path("pipe")); }),
            path("pipe") +
                ": cannot be opened: it is not a regular file; name a configuration file "
                "with --config");
  write("large", std::string((1 << 20) + 1, '#'));
  EXPECT_EQ(error_of([&] { read_trusted_file(path("large")); }),
            path("large") + ": is larger than 1 MiB; name a configuration file");
}

TEST_F(LoadConfig, LooksForLibrariesBesideTheFileThenInThePluginFolders) {
  ConfigRequest request;
  request.file = write("site.toml");
  const Config config = load_config(request);
  const std::vector<std::string> folders = {path("first"), path("second")};

  LibrarySearch search = find_library(config, config.plugins[0], folders);
  EXPECT_EQ(search.found, "");
#if !defined(__APPLE__)
  EXPECT_EQ(search.candidates,
            (std::vector<std::string>{path("libswitchyard_a.so"), path("first/libswitchyard_a.so"),
                                      path("second/libswitchyard_a.so")}));
#endif
  write("second/libswitchyard_a.so");
  EXPECT_EQ(find_library(config, config.plugins[0], folders).found,
            path("second/libswitchyard_a.so"));
  fs::create_directories(folder_.path() / "first/libswitchyard_a.so");
  EXPECT_EQ(find_library(config, config.plugins[0], folders).found,
            path("second/libswitchyard_a.so"));
  write("libswitchyard_a.so");
  EXPECT_EQ(find_library(config, config.plugins[0], folders).found, path("libswitchyard_a.so"));
}

TEST_F(LoadConfig, NeverLooksInTheWorkingDirectory) {
  const fs::path former = fs::current_path();
  write("elsewhere/libswitchyard_a.so");
  write("elsewhere/sub/libx.so");
  fs::current_path(folder_.path() / "elsewhere");
  const Config text = parse(two_plugins);
  EXPECT_TRUE(find_library(text, text.plugins[0], {}).candidates.empty());

  ConfigRequest request;
  request.file = write("site.toml", two_plugins + "[plugins.c]\nlibrary = 'sub/libx.so'\n");
  const Config config = load_config(request);
  EXPECT_EQ(find_library(config, config.plugins[0], {}).found, "");
  EXPECT_EQ(find_library(config, config.plugins[2], {}).candidates,
            (std::vector<std::string>{path("sub/libx.so")}));
  EXPECT_EQ(find_library(config, config.plugins[2], {}).found, "");
  fs::current_path(former);
}

TEST_F(LoadConfig, ResolvesPathsAgainstTheFolderOfTheFile) {
  ConfigRequest request;
  request.file = write("etc/site.toml",
                       "[plugins.a]\nlibrary = '../lib/x.plugin'\n"
                       "[plugins.b]\nlibrary = '/opt/y/liby.so'\n"
                       "[plugins.c]\nlibrary = 'plain.so'\n");
  const Config config = load_config(request);
  const auto candidates = [&](int plugin) {
    return find_library(config, config.plugins[plugin], {"/p"}).candidates;
  };
  EXPECT_EQ(candidates(0), (std::vector<std::string>{path("lib/x.plugin")}));
  EXPECT_EQ(candidates(1), (std::vector<std::string>{"/opt/y/liby.so"}));
  EXPECT_EQ(candidates(2), (std::vector<std::string>{path("etc/plain.so"), "/p/plain.so"}));
}

}  // namespace
}  // namespace switchyard
