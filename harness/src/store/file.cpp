// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole files in, whole files out.
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfcheck::store {
namespace {

namespace fs = std::filesystem;

// No file of ours comes near it; a device such as /dev/zero never ends.
constexpr std::size_t kLargestFile = std::size_t{1} << 30;

/// What a person can do about a failed system call.
char const* remedy_for(int error) {
  switch (error) {
    case ENOENT: return "check the path, or create the folder";
    case EACCES:
    case EPERM: return "change the permissions, or name another place";
    case EROFS: return "the file system is read-only, so name another place";
    case ENOSPC:
    case EDQUOT: return "free some space, or name another place";
    case EFBIG: return "raise the limit of the file size (ulimit -f), or name another place";
    case EISDIR:
    case ENOTDIR: return "name a file inside of a folder";
    case EMFILE:
    case ENFILE: return "raise the limit of open files (ulimit -n)";
    default: return "check the disk and its mount, or name another place";
  }
}

[[noreturn]] void fail(char const* action, fs::path const& path, int error) {
  throw IoError(fmt::format("cannot {} {}: {}; {}", action, path.string(), std::generic_category().message(error),
                            remedy_for(error)));
}

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  /// False with errno set when the system reports a late write error.
  bool close() {
    int const fd = fd_;
    fd_ = -1;
    return fd < 0 || ::close(fd) == 0;
  }

 private:
  int fd_;
};

/// Past the limit of the file size (ulimit -f) the system raises SIGXFSZ, which kills the process and leaves the
/// temporary file behind. While this lives the signal is held back, so that write() fails with EFBIG instead.
class FileSizeSignalHeldBack {
 public:
  FileSizeSignalHeldBack() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileSizeSignalHeldBack() {
    if (sigismember(&before_, SIGXFSZ) == 0) {
      timespec const no_wait{};
      sigtimedwait(&signal_, nullptr, &no_wait);
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalHeldBack(FileSizeSignalHeldBack const&) = delete;
  FileSizeSignalHeldBack& operator=(FileSizeSignalHeldBack const&) = delete;

 private:
  sigset_t signal_{}, before_{};
};

/// A new file beside the target, removed unless it is renamed.
class TemporaryFile {
 public:
  TemporaryFile(fs::path const& target, mode_t mode) : target_(target) {
    static std::atomic<unsigned> count{0};
    // A crash long ago may have left a file of this process number: take the next free name.
    do {
      path_ = target.parent_path() / fmt::format(".perfcheck-{}-{}.tmp", ::getpid(), count++);
      fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (fd_ < 0 && errno == EEXIST);
    if (fd_ < 0) {
      fail("write", target_, errno);
    }
  }
  ~TemporaryFile() {
    Descriptor const closes(fd_);
    if (!path_.empty()) {
      ::unlink(path_.c_str());
    }
  }
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;

  void set_mode(mode_t mode) {
    if (::fchmod(fd_, mode) != 0) {
      fail("write", target_, errno);
    }
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      ssize_t const written = ::write(fd_, text.data(), text.size());
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written <= 0) {
        fail("write", target_, written < 0 ? errno : ENOSPC);
      }
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void flush_and_rename() {
    if (::fsync(fd_) != 0) {
      fail("write", target_, errno);
    }
    Descriptor file(fd_);
    fd_ = -1;
    if (!file.close() || ::rename(path_.c_str(), target_.c_str()) != 0) {
      fail("write", target_, errno);
    }
    path_.clear();
  }

 private:
  fs::path target_, path_;
  int fd_ = -1;
};

/// The file that a write replaces: what a link points to, so that the link stays a link.
fs::path resolved(fs::path const& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) {
    return path;
  }
  fs::path const target = fs::weakly_canonical(path, error);
  if (error) {
    fail("write", path, error.value());
  }
  return target;
}

/// What stands at a path that is to be written; refused where a rename over it would do harm.
std::optional<mode_t> existing_mode(fs::path const& target) {
  struct stat existing{};
  if (::stat(target.c_str(), &existing) != 0) {
    return std::nullopt;
  }
  if (S_ISDIR(existing.st_mode)) {
    fail("write", target, EISDIR);
  }
  if (!S_ISREG(existing.st_mode)) {
    // Renaming over a device or a pipe would replace it by a file.
    throw IoError(fmt::format("cannot write {}: it is not a regular file; name a file", target.string()));
  }
  // A rename only needs access to the folder, but a file that its owner made read-only must stay as it is.
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
    fail("write", target, errno);
  }
  return existing.st_mode & 07777;
}

}  // namespace

struct AtomicFile::Parts {
  explicit Parts(fs::path const& where) : target(where), file(where, 0666) {}

  fs::path target;
  TemporaryFile file;
};

AtomicFile::AtomicFile(fs::path const& path) {
  fs::path const target = resolved(path);
  std::optional<mode_t> const mode = existing_mode(target);
  parts_ = std::make_unique<Parts>(target);
  if (mode) {
    parts_->file.set_mode(*mode);
  }
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::add(std::string_view text) {
  FileSizeSignalHeldBack const held_back;
  parts_->file.write(text);
}

void AtomicFile::finish() {
  fs::path const& target = parts_->target;
  // Opened before the rename: a failure must come while the target is untouched.
  fs::path const folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  Descriptor const folder_fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_fd.is_open()) {
    fail("write", target, errno);
  }
  parts_->file.flush_and_rename();
  // Some file systems cannot flush a folder (EINVAL); the file is complete and in place either way.
  if (::fsync(folder_fd.get()) != 0 && errno != EINVAL) {
    fail("flush the folder of", target, errno);
  }
}

void write_file_atomically(fs::path const& path, std::string_view text) {
  AtomicFile file(path);
  file.add(text);
  file.finish();
}

std::string read_file(fs::path const& path) {
  Descriptor const file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    fail("read", path, errno);
  }
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  while (true) {
    ssize_t const count = ::read(file.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail("read", path, errno);
    }
    if (count == 0) {
      return text;
    }
    text.append(block, 0, static_cast<std::size_t>(count));
    if (text.size() > kLargestFile) {
      throw IoError(fmt::format("cannot read {}: it is larger than {} MiB; name a file that perfcheck wrote",
                                path.string(), kLargestFile >> 20));
    }
  }
}

}  // namespace perfcheck::store
