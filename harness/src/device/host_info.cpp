// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "host_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

namespace perfcheck::device {
namespace {

/// The value behind `key` in a file of "key<separator>value" lines; empty when there is none.
std::string value_in(char const* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) {
      continue;
    }
    auto const at = line.find(separator);
    if (at == std::string::npos) {
      continue;
    }
    std::string value = line.substr(at + 1);
    value.erase(0, value.find_first_not_of(" \t\""));
    value.erase(value.find_last_not_of(" \t\"") + 1);
    return value;
  }
  return {};
}

/// "32768K" or "32M" as sysfs writes cache sizes.
std::int64_t parse_cache_size(std::string const& text) {
  char* unit = nullptr;
  std::int64_t const number = std::strtoll(text.c_str(), &unit, 10);
  switch (*unit) {
    case 'K': return number << 10;
    case 'M': return number << 20;
    case 'G': return number << 30;
    default: return number;
  }
}

}  // namespace

std::string host_name() {
  utsname names{};
  return uname(&names) == 0 ? names.nodename : "";
}

std::string os_name() {
  std::string name = value_in("/etc/os-release", "PRETTY_NAME", '=');
  utsname names{};
  if (uname(&names) == 0) {
    name += std::string(name.empty() ? "" : ", ") + names.sysname + " " + names.release;
  }
  return name;
}

std::string cpu_name() {
  std::string name = value_in("/proc/cpuinfo", "model name", ':');
  return name.empty() ? "unknown CPU" : name;
}

std::string process_text(unsigned pid) {
  std::string const folder = fmt::format("/proc/{}", pid);
  std::vector<std::string> facts;
  if (std::ifstream file(folder + "/comm"); file) {
    if (std::string name; std::getline(file, name) && !name.empty()) {
      facts.push_back(name);
    }
  }
  struct stat status{};
  if (stat(folder.c_str(), &status) == 0) {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 4096> buffer{};
    (void)getpwuid_r(status.st_uid, &entry, buffer.data(), buffer.size(), &found);
    facts.push_back(fmt::format("user {}", found != nullptr ? found->pw_name : std::to_string(status.st_uid)));
  }
  return facts.empty() ? fmt::format("pid {}", pid) : fmt::format("pid {} ({})", pid, fmt::join(facts, ", "));
}

std::int64_t last_level_cache_bytes() {
  std::int64_t largest = 0;
  std::error_code ignored;
  for (auto const& entry : std::filesystem::directory_iterator("/sys/devices/system/cpu/cpu0/cache", ignored)) {
    std::ifstream file(entry.path() / "size");
    if (std::string text; std::getline(file, text)) {
      largest = std::max(largest, parse_cache_size(text));
    }
  }
  return largest;
}

}  // namespace perfcheck::device
