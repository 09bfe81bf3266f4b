// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/fan_out.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/measuring/workbench.h"
#include "perfcheck/measuring/worker_choice.h"
#include "perfcheck/session/child_process.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/history_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <stdexcept>

namespace perfcheck::measuring {
namespace {

namespace fs = std::filesystem;

constexpr double kGlanceSeconds = 0.1;
constexpr double kLongestSeconds = 7 * 24 * 3600.0;
// More than a host can have; the loop over the devices ends at the first one that the worker does not know.
constexpr int kMostDevices = 256;

/// Options of the whole command that its shards must not get. All of these take a value; --json, which does not, is
/// handled in shard_arguments().
constexpr std::array kOfTheWhole = {"--devices",     "--out",        "--result", "--results-dir",
                                    "--result-name", "--report-url", "--repro",  "--history"};

int device_from(std::string_view text, std::string const& all) {
  int index = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index < 0 || index >= kMostDevices) {
    throw UsageError(fmt::format("--devices {}: give all, or indices with commas, as in 0,1,3", all));
  }
  return index;
}

bool knows_device(int index, Options const& options, config::Config const& config, Context& context) {
  std::string why;
  session::WorkerCommand command = worker_command(options, config, why);
  command.device = index;
  try {
    session::WorkerClient worker(command, &context.interrupt);
    worker.close();
    return true;
  } catch (session::WorkerRefused const& refused) {
    if (refused.code() == "no_device") {
      return false;
    }
    throw;
  }
}

/// The command line of one shard.
std::vector<std::string> shard_arguments(std::vector<std::string> const& given) {
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < given.size(); ++i) {
    std::string const& word = given[i];
    std::string const name = word.substr(0, word.find('='));
    if (std::ranges::find(kOfTheWhole, name) != kOfTheWhole.end()) {
      i += name.size() == word.size() ? 1 : 0;  // its value is the next word
    } else if (word != "--json") {
      arguments.push_back(word);
    }
  }
  return arguments;
}

/// The perfcheck process of one device. Its messages (stderr) are shown; its table (stdout) is discarded.
struct ShardProcess {
  int device = 0;
  fs::path run_file;
  std::unique_ptr<session::ChildProcess> process;
  std::optional<session::ExitState> end;

  ShardProcess(int on_device, int index, int count, fs::path const& folder, Context& context)
      : device(on_device), run_file(folder / fmt::format("{}.run.json", index)) {
    std::vector<std::string> argv{"/bin/sh", "-c", "exec \"$@\" 2>&1 >/dev/null", "sh",
                                  (program_folder() / "perfcheck").string()};
    std::vector<std::string> const arguments = shard_arguments(context.arguments);
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    for (std::string const& word :
         {std::string("--device"), std::to_string(device), std::string("--shard"), fmt::format("{}/{}", index, count),
          std::string("--out"), run_file.string(), std::string("--history"), std::string(trends::kNoHistory)}) {
      argv.push_back(word);
    }
    process = std::make_unique<session::ChildProcess>(argv, &context.interrupt);
    process->close_input();
  }

  /// Shows new messages; records the exit state if the process has ended.
  void look(Context& context) {
    std::string line;
    session::Deadline const deadline = session::deadline_after(kGlanceSeconds);
    session::ReadOutcome outcome = session::ReadOutcome::line;
    while ((outcome = process->read_line(line, deadline)) == session::ReadOutcome::line) {
      context.terminal.message(fmt::format("[device {}] {}", device, line));
    }
    if (outcome != session::ReadOutcome::deadline) {
      end = process->wait_or_kill(session::deadline_after(kLongestSeconds));
    }
  }
};

/// A temporary folder that the destructor removes with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "perfcheck-shards-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw store::IoError(fmt::format("{}: a temporary folder cannot be made; set TMPDIR to a writable one", pattern));
    }
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(TemporaryFolder const&) = delete;
  TemporaryFolder& operator=(TemporaryFolder const&) = delete;
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::vector<int> devices_of(Options const& options, Context& context) {
  std::vector<int> devices;
  if (options.devices == "all") {
    config::Config const config = config::load_config(context.config, options.demote);
    for (int index = 0; index < kMostDevices && knows_device(index, options, config, context); ++index) {
      devices.push_back(index);
    }
    if (devices.empty()) {
      throw CommandError(model::ExitCode::broken, "--devices all: the worker knows no device; see perfcheck doctor");
    }
    return devices;
  }
  std::string_view rest = options.devices;
  while (true) {
    std::size_t const comma = rest.find(',');
    devices.push_back(device_from(rest.substr(0, comma), options.devices));
    if (comma == std::string_view::npos) {
      break;
    }
    rest.remove_prefix(comma + 1);
  }
  std::vector<int> sorted = devices;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    throw UsageError(fmt::format("--devices {}: a device is there twice", options.devices));
  }
  return devices;
}

std::vector<model::Run> measure_shards(std::vector<int> const& devices, Context& context) {
  TemporaryFolder const folder;
  std::vector<std::unique_ptr<ShardProcess>> shards;
  int const count = static_cast<int>(devices.size());
  for (int const device : devices) {
    int const index = static_cast<int>(shards.size()) + 1;
    shards.push_back(std::make_unique<ShardProcess>(device, index, count, folder.path(), context));
  }
  auto const running = [](auto const& shard) { return !shard->end; };
  while (std::ranges::any_of(shards, running)) {
    for (auto const& shard : shards) {
      if (running(shard)) {
        shard->look(context);
      }
    }
  }
  std::vector<model::Run> runs;
  for (auto const& shard : shards) {
    if (fs::exists(shard->run_file)) {
      runs.push_back(store::read_run(shard->run_file));
    } else {
      context.terminal.message(fmt::format("[device {}] left no run file: it ended with {}; its messages are above",
                                           shard->device, shard->end->describe()));
    }
  }
  if (runs.empty()) {
    throw CommandError(model::ExitCode::broken, "no device measured anything; see the messages above");
  }
  return runs;
}

}  // namespace perfcheck::measuring
