// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "choice.h"

#include "blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace perfcheck::energy {
namespace {

constexpr double kMostSeconds = 3600;

double number(std::string const& option, std::string const& text, double least, double most) {
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most)) {
    throw std::invalid_argument(fmt::format("{} takes a number from {} to {}, not '{}'", option, least, most, text));
  }
  return value;
}

/// Sets the option of that name; false if there is none.
bool set(Options& options, std::string const& name, std::string const& value) {
  if (name == "--seconds") {
    options.seconds = number(name, value, kLeastSeconds, kMostSeconds);
  } else if (name == "--pairs") {
    double const pairs = number(name, value, 1, 99);
    options.pairs = static_cast<int>(pairs);
    if (options.pairs != pairs) throw std::invalid_argument("--pairs takes a whole number");
  } else if (name == "--time-budget") {
    options.time_budget = number(name, value, 1, 24 * kMostSeconds);
  } else if (name == "--out") {
    options.out = value;
  } else {
    return false;
  }
  return true;
}

/// Adds the ids that one part names, but none twice.
void add_named(std::vector<std::string> const& ids, std::string_view part, std::vector<std::string>& found) {
  bool const whole = std::ranges::find(ids, part) != ids.end();
  bool any = false;
  for (std::string const& id : ids) {
    if (part.empty() || (whole ? id != part : !id.starts_with(part))) continue;
    any = true;
    if (std::ranges::find(found, id) == found.end()) found.push_back(id);
  }
  if (!any) throw std::invalid_argument(fmt::format("no kernel's id is, or begins with, '{}'", part));
}

}  // namespace

Options parse_options(std::vector<std::string> const& arguments) {
  Options options;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string const& argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      options.help = true;
      return options;
    }
    if (!argument.starts_with("--")) {
      names.push_back(argument);
      continue;
    }
    if (i + 1 == arguments.size()) throw std::invalid_argument(argument + " needs a value");
    if (!set(options, argument, arguments[++i])) throw std::invalid_argument("unknown option '" + argument + "'");
  }
  if (names.size() < 2) throw std::invalid_argument("name kernels and a problem");
  options.kernels = names.front();
  options.problems.assign(names.begin() + 1, names.end());
  return options;
}

std::vector<std::string> chosen(std::vector<std::string> const& ids, std::string_view wanted) {
  std::vector<std::string> found;
  for (bool more = true; more;) {
    std::size_t const comma = wanted.find(',');
    add_named(ids, wanted.substr(0, comma), found);
    more = comma != std::string_view::npos;
    if (more) wanted.remove_prefix(comma + 1);
  }
  return found;
}

double seconds_of_kernel(Options const& options) {
  constexpr double kSteps = 0.5;  // until a first step is seen, and until the last
  return 2 * options.pairs * (kLeadSeconds + options.seconds + kSteps);
}

}  // namespace perfcheck::energy
