// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_names.h"

#include <cxxabi.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace perfcheck::device {
namespace {

/// Without "__nv_static_55_" and the 55 letters behind it, which name the file and the process that compiled it.
std::string without_unit(std::string const& name) {
  constexpr std::string_view kPrefix = "__nv_static_";
  if (!name.starts_with(kPrefix)) return name;
  std::size_t length = 0;
  char const* const end = name.data() + name.size();
  auto const number = std::from_chars(name.data() + kPrefix.size(), end, length);
  auto const rest = static_cast<std::size_t>(end - number.ptr);
  // Both the number and the unit are followed by '_'.
  bool const is_whole = number.ec == std::errc() && rest > 2 && length < rest - 2 && number.ptr[0] == '_' &&
                        number.ptr[1 + length] == '_';
  return is_whole ? std::string(number.ptr + length + 2, end) : name;
}

}  // namespace

std::string readable_kernel_name(std::string const& mangled) {
  std::string const plain = without_unit(mangled);
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> const text(abi::__cxa_demangle(plain.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  std::string name = status == 0 ? text.get() : plain;
  if (auto const anonymous = name.find("_GLOBAL__N__"); anonymous != std::string::npos) {
    auto const end = name.find("::", anonymous);
    name.erase(anonymous, end == std::string::npos ? std::string::npos : end + 2 - anonymous);
  }
  for (std::string const part : {"(anonymous namespace)::", "void "}) {
    if (auto const at = name.find(part); at != std::string::npos) {
      name.erase(at, part.size());
    }
  }
  if (auto const arguments = name.rfind('('); arguments != std::string::npos && arguments > 0) {
    name.erase(arguments);
  }
  return name;
}

}  // namespace perfcheck::device
