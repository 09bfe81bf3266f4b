// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Files with thousands of random defects: the reader refuses each file or reads something that can be written again.
#include "errors.h"
#include "perfcheck/model/json.h"
#include "samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <set>

namespace perfcheck::model {
namespace {

using nlohmann::json;

/// Reads without checking the digest: every change breaks it, and these tests look for other defects.
Baseline baseline_of_any_digest(std::string_view text, std::string_view origin) {
  return baseline_from_text(text, origin, DigestCheck::ignored);
}

/// Reads the text. Accepted files must stay the same when they are written and read again.
template <typename Read, typename Write>
bool accepted_and_stable(std::string const& text, Read read, Write write) {
  std::string written;
  try {
    written = write(read(text, "f"));
  } catch (FormatError const&) {
    return false;
  }
  EXPECT_EQ(write(read(written, "f")), written);
  return true;
}

template <typename Read, typename Write>
void mutate_bytes(std::string const& valid, Read read, Write write) {
  std::mt19937_64 random(20261121);
  std::string const alphabet = "{}[]\",:0123456789-+.eEtfn \\u\n\xff\xc3\x80" + std::string(1, '\0');
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = valid;
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
      std::size_t const at = random() % text.size();
      switch (random() % 4) {
        case 0: text[at] = alphabet[random() % alphabet.size()]; break;
        case 1: text.erase(at, 1 + random() % 20); break;
        case 2: text.insert(at, 1, alphabet[random() % alphabet.size()]); break;
        default: text.insert(at, text.substr(random() % text.size(), random() % 40)); break;
      }
    }
    refused += accepted_and_stable(text, read, write) ? 0 : 1;
  }
  EXPECT_GT(refused, 2000);
}

TEST(Mutation, OfBytesNeverCrashesAReader) {
  mutate_bytes(run_to_text(samples::small_run()), run_from_text, run_to_text);
  mutate_bytes(run_to_text(samples::imported_run()), run_from_text, run_to_text);
  mutate_bytes(baseline_to_text(samples::complete_baseline()), baseline_of_any_digest, baseline_to_text);
}

template <typename Read, typename Write>
void replace_every_value(json const& valid, Read read, Write write) {
  std::vector<json> const hostile = {
      nullptr, true, -1, 0, 1.5, 1e308, UINT64_MAX, "", "a@b", json::array(), json::object(), {1, 2, 3}, {{"id", "x"}}};
  json const flat = valid.flatten();
  std::set<std::string> places;
  for (auto const& item : flat.items()) {
    for (json::json_pointer pointer(item.key()); !pointer.empty(); pointer.pop_back()) {
      places.insert(pointer.to_string());
    }
  }
  std::size_t refused = 0;
  for (std::string const& place : places) {
    for (json const& value : hostile) {
      json changed = valid;
      changed[json::json_pointer(place)] = value;
      refused += accepted_and_stable(changed.dump(), read, write) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, places.size() * hostile.size() / 2);
}

TEST(Mutation, OfEveryValueNeverCrashesAReader) {
  json run = json::parse(run_to_text(samples::complete_run()));
  json& cases = run["sessions"][0]["cases"];
  cases.erase(cases.begin() + 4, cases.end());
  replace_every_value(run, run_from_text, run_to_text);
  replace_every_value(to_json(samples::imported_run()), run_from_text, run_to_text);
  replace_every_value(json::parse(baseline_to_text(samples::complete_baseline())), baseline_of_any_digest,
                      baseline_to_text);
}

}  // namespace
}  // namespace perfcheck::model
