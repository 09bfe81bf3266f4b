// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes that fail in the ways a disk can fail, and readers at the worst moment.
#include "temporary_folder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace perfcheck::store {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(WriteFile, WritesAndReplaces) {
  TemporaryFolder const folder;
  fs::path const path = folder / "run.json";
  write_file_atomically(path, "one\n");
  EXPECT_EQ(read_file(path), "one\n");
  std::string const large(3 << 20, 'x');
  write_file_atomically(path, large);
  EXPECT_EQ(read_file(path), large);
  write_file_atomically(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
}

TEST(AtomicFile, AppearsWithFinishAndNotBefore) {
  TemporaryFolder const folder;
  fs::path const path = folder / "run.json";
  write_file_atomically(path, "old");
  {
    AtomicFile file(path);
    file.add("one ");
    file.add("");
    file.add("two");
    EXPECT_EQ(read_file(path), "old");
    file.finish();
    EXPECT_EQ(read_file(path), "one two");
  }
  {
    AtomicFile file(path);
    file.add("never finished");
  }
  EXPECT_EQ(read_file(path), "one two");
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
}

TEST(WriteFile, WorksOnARelativePath) {
  TemporaryFolder const folder;
  fs::path const before = fs::current_path();
  fs::current_path(folder.path());
  write_file_atomically("run.json", "here");
  fs::current_path(before);
  EXPECT_EQ(read_file(folder / "run.json"), "here");
}

TEST(WriteFile, KeepsThePermissionsOfTheFileItReplaces) {
  TemporaryFolder const folder;
  fs::path const path = folder / "run.json";
  write_file_atomically(path, "one");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  write_file_atomically(path, "two");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST(WriteFile, GivesANewFileThePermissionsOfTheUmask) {
  TemporaryFolder const folder;
  mode_t const before = ::umask(027);
  write_file_atomically(folder / "run.json", "one");
  ::umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder / "run.json").permissions()), 0640U);
}

TEST(WriteFile, WritesThroughALink) {
  TemporaryFolder const folder;
  write_file_atomically(folder / "real.json", "one");
  fs::create_symlink("real.json", folder / "link.json");
  write_file_atomically(folder / "link.json", "two");
  EXPECT_TRUE(fs::is_symlink(folder / "link.json"));
  EXPECT_EQ(read_file(folder / "real.json"), "two");
}

TEST(WriteFile, NamesTheFileTheReasonAndTheRemedy) {
  TemporaryFolder const folder;
  EXPECT_THAT(
      io_error_of([&] { write_file_atomically(folder / "no/such/run.json", "x"); }),
      AllOf(HasSubstr("no/such/run.json"), HasSubstr("No such file or directory"), HasSubstr("create the folder")));
  write_file_atomically(folder / "file", "x");
  EXPECT_THAT(io_error_of([&] { write_file_atomically(folder / "file/run.json", "x"); }), HasSubstr("Not a directory"));
  EXPECT_THAT(io_error_of([&] { write_file_atomically(folder.path(), "x"); }), HasSubstr("Is a directory"));
  EXPECT_THAT(io_error_of([&] { write_file_atomically(folder / std::string(300, 'n'), "x"); }),
              HasSubstr("File name too long"));
  EXPECT_THAT(folder.names(), ElementsAre("file"));
}

TEST(WriteFile, NeverReplacesADeviceOrAPipe) {
  TemporaryFolder const folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::vector<fs::path> paths{folder / "pipe"};
  // Its own device, so that a failing test does not destroy the machine's /dev/null; only root can create one.
  if (::mknod((folder / "device").c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0) paths.push_back(folder / "device");
  for (fs::path const& path : paths) {
    EXPECT_THAT(io_error_of([&] { write_file_atomically(path, "x"); }), HasSubstr("not a regular file"));
    EXPECT_FALSE(fs::is_regular_file(path));
  }
}

/// Drops the rights of root for its lifetime.
class Unprivileged {
 public:
  Unprivileged() : was_root_(::geteuid() == 0), dropped_(!was_root_ || ::seteuid(65534) == 0) {}
  ~Unprivileged() {
    if (was_root_) {
      (void)!::seteuid(0);
    }
  }
  Unprivileged(Unprivileged const&) = delete;
  Unprivileged& operator=(Unprivileged const&) = delete;
  bool dropped() const { return dropped_; }

 private:
  bool was_root_, dropped_;
};

TEST(WriteFile, RespectsAReadOnlyFolder) {
  TemporaryFolder const folder;
  write_file_atomically(folder / "run.json", "old");
  fs::permissions(folder.path(),
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(folder / "run.json", fs::perms::all);
  {
    Unprivileged const rights;
    if (!rights.dropped()) {
      GTEST_SKIP() << "cannot give up the rights of root here";
    }
    for (char const* name : {"run.json", "new.json"}) {
      EXPECT_THAT(io_error_of([&] { write_file_atomically(folder / name, "new"); }),
                  AllOf(HasSubstr(name), HasSubstr("Permission denied"), HasSubstr("change the permissions")));
    }
  }
  EXPECT_EQ(read_file(folder / "run.json"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
}

TEST(WriteFile, RespectsAReadOnlyFile) {
  TemporaryFolder const folder;
  write_file_atomically(folder / "run.json", "old");
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder / "run.json", fs::perms::owner_read | fs::perms::others_read);
  {
    Unprivileged const rights;
    if (!rights.dropped()) {
      GTEST_SKIP() << "cannot give up the rights of root here";
    }
    EXPECT_THAT(io_error_of([&] { write_file_atomically(folder / "run.json", "new"); }),
                HasSubstr("Permission denied"));
  }
  EXPECT_EQ(read_file(folder / "run.json"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
}

/// Limits the size of files for its lifetime.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit const limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
  FileSizeLimit(FileSizeLimit const&) = delete;
  FileSizeLimit& operator=(FileSizeLimit const&) = delete;

 private:
  rlimit before_{};
};

TEST(WriteFile, LeavesTheOldFileWhenASizeLimitCutsTheWrite) {
  TemporaryFolder const folder;
  write_file_atomically(folder / "run.json", "old");
  {
    FileSizeLimit const limit(4096);
    EXPECT_THAT(io_error_of([&] { write_file_atomically(folder / "run.json", std::string(100000, 'x')); }),
                AllOf(HasSubstr("run.json"), HasSubstr("File too large"), HasSubstr("ulimit")));
  }
  EXPECT_EQ(read_file(folder / "run.json"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0) << "a pending SIGXFSZ would kill the process later";
}

TEST(WriteFile, LeavesTheOldFileWhenTheDiskIsFull) {
  TemporaryFolder const folder;
  if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "cannot mount a small file system here";
  }
  write_file_atomically(folder / "run.json", "old");
  std::string const error = io_error_of([&] { write_file_atomically(folder / "run.json", std::string(1 << 20, 'x')); });
  EXPECT_THAT(error, AllOf(HasSubstr("run.json"), HasSubstr("No space left"), HasSubstr("free some space")));
  EXPECT_EQ(read_file(folder / "run.json"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
  ASSERT_EQ(::umount(folder.path().c_str()), 0);
}

TEST(WriteFile, ReadersSeeTheOldOrTheNewFileAndNothingBetween) {
  TemporaryFolder const folder;
  fs::path const path = folder / "run.json";
  std::string const a(200000, 'a'), b(200000, 'b');
  write_file_atomically(path, a);
  std::atomic<bool> done{false};
  std::thread first([&] {
    for (int i = 0; i < 20; ++i) write_file_atomically(path, i % 2 == 0 ? b : a);
  });
  std::thread second([&] {
    for (int i = 0; i < 20; ++i) write_file_atomically(path, i % 2 == 0 ? a : b);
  });
  std::thread waiter([&] {
    first.join();
    second.join();
    done = true;
  });
  while (!done) {
    std::string const seen = read_file(path);
    ASSERT_TRUE(seen == a || seen == b) << seen.size();
  }
  waiter.join();
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
}

TEST(ReadFile, NamesTheFileTheReasonAndTheRemedy) {
  TemporaryFolder const folder;
  EXPECT_THAT(io_error_of([&] { (void)read_file(folder / "absent.json"); }),
              AllOf(HasSubstr("cannot read"), HasSubstr("absent.json"), HasSubstr("No such file"),
                    HasSubstr("check the path")));
  EXPECT_THAT(io_error_of([&] { (void)read_file(folder.path()); }), HasSubstr("Is a directory"));
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace perfcheck::store
