// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Detects the format of a text.
#include "perfcheck/import/import.h"

#include "formats.h"
#include "perfcheck/model/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace perfcheck::importing {
namespace {

using nlohmann::json;

/// Collects the keys of the outermost object and stops at "schema", so that a run file is not read twice. Does not
/// report errors: the reader of the detected format does.
class OuterKeys final : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, string_t const& /*digits*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*count*/) override { return ++depth_, true; }
  bool end_object() override { return --depth_, true; }
  bool start_array(std::size_t /*count*/) override { return ++depth_, true; }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t /*position*/, std::string const& /*token*/, json::exception const& /*error*/) override {
    return false;
  }
  bool key(string_t& name) override {
    if (depth_ == 1) {
      keys_.insert(name);
    }
    return depth_ != 1 || name != "schema";
  }

  bool has(char const* name) const { return keys_.contains(name); }

 private:
  std::size_t depth_ = 0;
  std::set<std::string> keys_;
};

enum class Format { unknown, perfcheck, google_benchmark, nvbench };

Format format_of(std::string_view text) {
  OuterKeys outer;
  json::sax_parse(text, &outer);
  if (outer.has("schema")) {
    return Format::perfcheck;
  }
  if (outer.has("benchmarks") && outer.has("context")) {
    return Format::google_benchmark;
  }
  return outer.has("benchmarks") && outer.has("devices") && outer.has("meta") ? Format::nvbench : Format::unknown;
}

}  // namespace

model::Run run_from_any(std::string_view text, std::string_view origin, ImportOptions const& options) {
  Format format = format_of(text);
  if (format == Format::unknown) {
    format = format_of(with_quoted_non_numbers(text));  // Google Benchmark's, with NaN or Infinity near the beginning
  }
  switch (format) {
    case Format::perfcheck: return model::run_from_text(text, origin);
    case Format::google_benchmark: return run_from_google_benchmark(text, origin, options);
    case Format::nvbench: return run_from_nvbench(text, origin, options);
    case Format::unknown: break;
  }
  (void)model::parse_strict(text, origin);  // throws a precise error for text that is empty, cut off or not JSON
  throw model::FormatError(
      fmt::format("{}: is none of the files that are read here: a run file (perfcheck run --out), JSON of Google "
                  "Benchmark (--benchmark_out) or JSON of NVBench (--json, --jsonbin)",
                  origin));
}

}  // namespace perfcheck::importing
