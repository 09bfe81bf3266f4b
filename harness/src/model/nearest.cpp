// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/nearest.h"

#include <algorithm>
#include <numeric>

namespace perfcheck::model {
namespace {

// Longer words are not mistyped names of ours; the limit also bounds the work that hostile input can cause.
constexpr std::size_t kLongestWord = 200;

/// Optimal string alignment distance: Levenshtein distance in which a swap of two neighbours is one edit.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
        row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
      }
    }
    before_last = last;
    last = row;
  }
  return last.back();
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word, std::vector<std::string> const& candidates) {
  std::optional<std::string> best;
  std::size_t best_edits = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (std::string const& candidate : candidates) {
    if (word.size() > kLongestWord || candidate.size() > kLongestWord) {
      continue;
    }
    if (std::size_t const edits = edits_between(word, candidate); edits < best_edits) {
      best_edits = edits;
      best = candidate;
    }
  }
  return best;
}

}  // namespace perfcheck::model
