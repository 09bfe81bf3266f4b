// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "shared_host_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace perfcheck::device {
namespace {

constexpr char const* kPrefix = "/perfcheck-";
/// Stands in front of the memory that is handed out: the size of the mapping, and the name to unlink.
struct Header {
  std::size_t mapped;
  char name[64];  ///< empty in the process that only opened it
};
constexpr std::size_t kHeaderBytes = 4096;

[[noreturn]] void fail(char const* what) {
  throw DeviceError(fmt::format("{} shared memory: {}; is there room in /dev/shm?", what, std::strerror(errno)), false);
}

std::string random_name() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) fail("naming");
  std::string name = kPrefix;
  for (unsigned char const byte : bytes) name += fmt::format("{:02x}", byte);
  return name;
}

void release(void* data) {
  void* const begin = static_cast<std::byte*>(data) - kHeaderBytes;
  Header header;
  std::memcpy(&header, begin, sizeof header);
  if (header.name[0] != '\0') (void)shm_unlink(header.name);
  (void)munmap(begin, header.mapped);
}

/// The first page belongs to this process alone, so that the other one cannot change the header.
Memory map(int descriptor, std::size_t bytes, char const* name) {
  std::size_t const mapped = bytes + kHeaderBytes;
  void* const begin = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED) fail("mapping");
  void* const data = static_cast<std::byte*>(begin) + kHeaderBytes;
  if (mmap(data, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
    (void)munmap(begin, mapped);
    fail("mapping");
  }
  Header header{.mapped = mapped, .name = ""};
  std::strncpy(header.name, name, sizeof header.name - 1);
  std::memcpy(begin, &header, sizeof header);
  return Memory(data, bytes, release);
}

}  // namespace

SharedMemory allocate_shared_host_memory(std::size_t bytes) {
  std::string const name = random_name();
  // Any user who knows the name, which cannot be guessed, may open it: the other process may belong to another user.
  int const descriptor = shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) fail("making");
  bool const sized = fchmod(descriptor, 0666) == 0 && posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) == 0;
  if (!sized) {
    (void)close(descriptor);
    (void)shm_unlink(name.c_str());
    fail("making");
  }
  try {
    SharedMemory shared{.memory = map(descriptor, bytes, name.c_str()), .handle = name};
    (void)close(descriptor);
    return shared;
  } catch (...) {
    (void)close(descriptor);
    (void)shm_unlink(name.c_str());
    throw;
  }
}

Memory open_shared_host_memory(std::string const& handle, std::size_t bytes) {
  if (handle.rfind(kPrefix, 0) != 0) throw DeviceError("a handle of shared memory is malformed", false);
  int const descriptor = shm_open(handle.c_str(), O_RDWR | O_CLOEXEC, 0);
  if (descriptor < 0) fail("opening");
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || static_cast<std::size_t>(status.st_size) < bytes) {
    (void)close(descriptor);
    throw DeviceError("shared memory is smaller than its owner said", false);
  }
  try {
    Memory memory = map(descriptor, bytes, "");
    (void)close(descriptor);
    return memory;
  } catch (...) {
    (void)close(descriptor);
    throw;
  }
}

}  // namespace perfcheck::device
