// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/device_lock.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/model/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace perfcheck::measuring {
namespace {

namespace fs = std::filesystem;

constexpr double kPauseS = 1;
// All users share the folder: whoever creates the file first must not lock others out. A link in its place must not
// lead elsewhere (O_NOFOLLOW below).
constexpr mode_t kForEverybody = 0666;

std::string holder_in(int file) {
  std::array<char, 32> text{};
  ssize_t const length = ::pread(file, text.data(), text.size() - 1, 0);
  std::string pid(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  std::erase_if(pid, [](char c) { return c < '0' || c > '9'; });
  return pid.empty() ? "another process" : "process " + pid;
}

void sign(int file) {
  std::string const pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file, 0) == 0) {
    (void)!::pwrite(file, pid.data(), pid.size(), 0);
  }
}

}  // namespace

DeviceLock::DeviceLock(fs::path const& folder, std::string const& device_uuid, RetryBudget& budget, Context& context) {
  fs::path const path = folder / fmt::format("perfcheck-{}.lock", model::slug_of(device_uuid));
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kForEverybody);
  if (file_ < 0) {
    context.terminal.message(
        fmt::format("{} cannot be opened: nothing keeps another perfcheck from measuring on this "
                    "device meanwhile; set PERFCHECK_LOCK_DIR to a folder of all users",
                    path.string()));
    return;
  }
  (void)::fchmod(file_, kForEverybody);  // independent of the umask
  bool told = false;
  while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    std::string const holder = holder_in(file_);
    if (budget.left() <= 0) {
      ::close(file_);
      throw CommandError(model::ExitCode::undecided,
                         fmt::format("the machine is not fit: busy: {} measures on this device with perfcheck ({}); "
                                     "waited {:.0f} s, --retry-budget gives more",
                                     holder, path.string(), budget.total()));
    }
    if (!told) {
      context.terminal.message(fmt::format("busy: {} measures on this device with perfcheck; waiting up to {:.0f} s",
                                           holder, budget.left()));
      told = true;
    }
    sleep_for(std::min(kPauseS, budget.left()), context.interrupt);
    budget.spend(kPauseS);
  }
  sign(file_);
}

DeviceLock::~DeviceLock() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

fs::path lock_folder() {
  if (char const* folder = std::getenv("PERFCHECK_LOCK_DIR"); folder != nullptr && *folder != '\0') {
    return folder;
  }
  if (::access("/run/lock", W_OK | X_OK) == 0) {
    return "/run/lock";
  }
  std::error_code ignored;
  fs::path const temporary = fs::temp_directory_path(ignored);
  return temporary.empty() ? fs::path("/tmp") : temporary;
}

}  // namespace perfcheck::measuring
