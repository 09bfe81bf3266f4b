// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "nvbench_summaries.h"

#include "names.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>

namespace perfcheck::importing {
namespace {

using model::ObjectReader;
using nlohmann::json;

/// NVBench writes numbers as strings, so that they do not lose digits; earlier versions wrote JSON numbers.
std::optional<double> number_of(json const& value) {
  if (value.is_number()) {
    return value.get<double>();
  }
  if (!value.is_string()) {
    return std::nullopt;
  }
  std::string const& text = value.get_ref<std::string const&>();
  double number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool const read = error == std::errc() && end == text.data() + text.size();
  return read ? std::optional(number) : std::nullopt;
}

std::optional<double> positive_number_of(json const& value) {
  std::optional<double> const number = number_of(value);
  return number && std::isfinite(*number) && *number > 0 ? number : std::nullopt;
}

/// IEEE 754, 32 bits, little-endian on every machine.
float float_at(std::string const& bytes, std::size_t index) {
  uint32_t bits = 0;
  for (std::size_t i = 0; i < sizeof(bits); ++i) {
    bits |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[sizeof(bits) * index + i])) << (8 * i);
  }
  return std::bit_cast<float>(bits);
}

}  // namespace

Summaries::Summaries(ObjectReader& state, std::string_view origin)
    : origin_(origin), place_(state.place_of("summaries")) {
  list_ = &state.array("summaries");
  for (std::size_t i = 0; i < list_->size(); ++i) {
    ObjectReader summary((*list_)[i], origin_, fmt::format("{}[{}]", place_, i));
    by_tag_.emplace(summary.text("tag"), i);
  }
}

void Summaries::fail(std::string const& place, std::string const& problem) const {
  throw model::FormatError(fmt::format("{}: {}: {}", origin_, place, problem));
}

Summaries::Value Summaries::value_of(std::size_t index, std::string const& name) const {
  std::string const place = fmt::format("{}[{}]", place_, index);
  ObjectReader summary((*list_)[index], origin_, place);
  json const& data = summary.array("data");
  for (std::size_t i = 0; i < data.size(); ++i) {
    ObjectReader named(data[i], origin_, summary.place_of("data", i));
    if (named.text("name") == name) {
      if (!named.has("value")) {
        named.fail("value", "is missing; record the file again");
      }
      return {.json = &data[i].at("value"), .place = named.place_of("value")};
    }
  }
  summary.fail("data", fmt::format("holds no value named \"{}\"; record the file again", name));
}

double Summaries::positive_number(Value const& value) const {
  std::optional<double> const number = positive_number_of(*value.json);
  if (!number) {
    fail(value.place,
         fmt::format("must be a finite number greater than 0, but is {}; record the file again",
                     shown(value.json->is_string() ? value.json->get<std::string>() : value.json->dump())));
  }
  return *number;
}

std::optional<double> Summaries::positive(std::string const& tag) const {
  auto const found = by_tag_.find(tag);
  return found == by_tag_.end() ? std::nullopt : std::optional(positive_number(value_of(found->second, "value")));
}

std::optional<double> Summaries::if_positive(std::string const& tag) const {
  auto const found = by_tag_.find(tag);
  return found == by_tag_.end() ? std::nullopt : positive_number_of(*value_of(found->second, "value").json);
}

std::optional<std::vector<double>> Summaries::side_file(std::string const& tag, ImportOptions const& options) const {
  auto const found = by_tag_.find(tag);
  if (found == by_tag_.end() || !options.read_side_file) {
    return std::nullopt;
  }
  Value const file = value_of(found->second, "filename");
  if (!file.json->is_string()) {
    fail(file.place, "must be text in quotes; record the file again");
  }
  std::string const name = file.json->get<std::string>();
  std::optional<std::string> const bytes = options.read_side_file(name);
  if (!bytes) {
    fail(file.place,
         fmt::format("{} cannot be read; keep it beside this file, or record without it (--json in place of "
                     "--jsonbin)",
                     shown(name)));
  }
  double const size = positive_number(value_of(found->second, "size"));
  if (bytes->empty() || static_cast<double>(bytes->size()) != sizeof(float) * size) {
    fail(file.place, fmt::format("{} has {} bytes, not {:.0f} values of 4 bytes each; restore it, or record again",
                                 shown(name), bytes->size(), size));
  }
  std::vector<double> values(bytes->size() / sizeof(float));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(float_at(*bytes, i));
    if (!(std::isfinite(values[i]) && values[i] > 0)) {
      fail(file.place, fmt::format("value {} of {} must be a finite number greater than 0, but is {}; record again", i,
                                   shown(name), values[i]));
    }
  }
  return values;
}

}  // namespace perfcheck::importing
