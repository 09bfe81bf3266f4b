// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/worker_choice.h"

#include "perfcheck/console/errors.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace perfcheck::measuring {
namespace {

namespace fs = std::filesystem;

// Present as soon as NVIDIA's kernel module is loaded, whether or not a GPU works.
constexpr std::array<char const*, 2> kDriverTraces = {"dev/nvidiactl", "proc/driver/nvidia"};

/// Splits text into words; whitespace separates them, except where quoted or escaped.
class WordSplitter {
 public:
  void take(char c) {
    if (escaped_) {
      word_ += c;
      escaped_ = false;
    } else if (c == '\\' && quote_ != '\'') {
      escaped_ = in_word_ = true;
    } else if (quote_ != '\0') {
      c == quote_ ? void(quote_ = '\0') : void(word_ += c);
    } else if (c == '"' || c == '\'') {
      quote_ = c;
      in_word_ = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      end_word();
    } else {
      word_ += c;
      in_word_ = true;
    }
  }

  std::vector<std::string> finish(std::string const& command, std::string const& origin) {
    if (quote_ != '\0' || escaped_) {
      throw UsageError(fmt::format("{} {}: a quote is not closed", origin, command));
    }
    end_word();
    if (words_.empty()) {
      throw UsageError(origin + ": name a program");
    }
    return words_;
  }

 private:
  void end_word() {
    if (in_word_) {
      words_.push_back(word_);
    }
    word_.clear();
    in_word_ = false;
  }

  std::vector<std::string> words_;
  std::string word_;
  char quote_ = '\0';
  bool escaped_ = false;
  bool in_word_ = false;
};

std::string place_of(config::Config const& config, std::string const& backend) {
  return fmt::format("{}: workers.{}", config.file.string(), backend);
}

}  // namespace

std::vector<std::string> split_command(std::string const& command, std::string const& origin) {
  WordSplitter splitter;
  for (char const c : command) {
    splitter.take(c);
  }
  return splitter.finish(command, origin);
}

std::vector<std::string> configured_worker(config::Config const& config, std::string const& backend,
                                           fs::path const& program_folder) {
  std::vector<std::string> argv = split_command(config.workers.at(backend), place_of(config, backend));
  bool const is_name = argv.front().find('/') == std::string::npos;
  fs::path const folder = is_name ? program_folder : config.file.parent_path();
  // A name without '/' would be looked up in PATH.
  fs::path const program = folder.empty() ? fs::path(".") / argv.front() : folder / argv.front();
  argv.front() = program.string();
  return argv;
}

WorkerChoice choose_worker(Options const& options, config::Config const& config, fs::path const& root,
                           fs::path const& program_folder) {
  if (!options.worker.empty()) {
    return {.argv = split_command(options.worker), .why = "given with --worker"};
  }
  std::string backend = options.backend;
  std::string why = "given with --backend";
  if (backend == "auto") {
    backend = "cpu";
    why = "no NVIDIA driver is loaded here";
    for (char const* trace : kDriverTraces) {
      std::error_code ignored;
      if (fs::exists(root / trace, ignored)) {
        backend = "cuda";
        why = fmt::format("an NVIDIA driver is loaded (/{})", trace);
        break;
      }
    }
  }
  std::vector<std::string> argv = configured_worker(config, backend, program_folder);
  std::error_code ignored;
  if (!fs::is_regular_file(argv.front(), ignored)) {
    throw CommandError(
        model::ExitCode::broken,
        fmt::format(
            "{}: {}: there is no such worker, and backend {} was chosen because {}; build it{}, mend the entry, "
            "or name a worker with --worker",
            place_of(config, backend), argv.front(), backend, why, backend == "cuda" ? ", choose --backend cpu" : ""));
  }
  return {.argv = std::move(argv), .why = why};
}

fs::path program_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace perfcheck::measuring
