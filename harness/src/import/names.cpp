// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace perfcheck::importing {
namespace {

constexpr std::size_t kLongestShown = 80;
constexpr char const* kNoArguments = "default";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/')) {
    parts.push_back(name.substr(0, slash));
    name.remove_prefix(slash + 1);
  }
  parts.push_back(name);
  return parts;
}

bool is_whole_number(std::string_view part) {
  if (part.starts_with('-')) {
    part.remove_prefix(1);
  }
  return !part.empty() && std::all_of(part.begin(), part.end(), is_digit);
}

/// "threads:2"; not "std::vector".
bool is_labelled(std::string_view part) {
  for (std::size_t i = 1; i < part.size(); ++i) {
    if (part[i] == ':' && part[i - 1] != ':' && (i + 1 == part.size() || part[i + 1] != ':')) {
      return true;
    }
  }
  return false;
}

bool is_argument(std::string_view part) {
  return is_whole_number(part) || is_labelled(part) || part == "real_time" || part == "manual_time" ||
         part == "process_time";
}

}  // namespace

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (char const c : text) {
    if (c == '%' || c == '@' || is_control(c) || special.find(c) != std::string_view::npos) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

std::string program_of(std::string_view path, std::string const& fallback) {
  if (std::size_t const slash = path.find_last_of("/\\"); slash != std::string_view::npos) {
    path.remove_prefix(slash + 1);
  }
  if (path.ends_with(".exe")) {
    path.remove_suffix(4);
  }
  return path.empty() ? fallback : escaped(path);
}

model::CaseName google_benchmark_name(std::string const& program, std::string_view name) {
  std::vector<std::string_view> const parts = parts_of(name);
  // The first part is the function's name, whatever it looks like.
  auto const arguments = std::find_if(parts.begin() + 1, parts.end(), is_argument);
  model::CaseName result{.kernel = program, .problem = ""};
  for (auto part = parts.begin(); part != arguments; ++part) {
    result.kernel += "/" + escaped(*part);
  }
  std::vector<std::string> values;
  std::transform(arguments, parts.end(), std::back_inserter(values),
                 [](std::string_view part) { return escaped(part, ","); });
  result.problem = values.empty() ? kNoArguments : fmt::format("{}", fmt::join(values, ","));
  return result;
}

bool wants_process_time(std::string_view name) {
  std::vector<std::string_view> const parts = parts_of(name);
  auto const has = [&parts](std::string_view word) {
    return std::find(parts.begin() + 1, parts.end(), word) != parts.end();
  };
  return has("process_time") && !has("real_time") && !has("manual_time");
}

std::string shown(std::string_view text) {
  std::string result(text.substr(0, kLongestShown));
  std::replace_if(result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return "\"" + result + (text.size() > kLongestShown ? "...\"" : "\"");
}

}  // namespace perfcheck::importing
