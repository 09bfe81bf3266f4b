// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How other benchmark tools decide that something became slower. Their rules can be replayed on the data on which
// perfcheck's own are judged. docs/peer-rules.md says what such a replay represents and what it does not.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace perfcheck::peers {

/// One case as one process measured it: a value per round in every column.
struct Session {
  std::vector<double> time_ns;
  std::vector<double> clock_mhz;  ///< empty where the clock is not known
};

/// What a tool would have said.
enum class Answer {
  slower,
  faster,
  same,
  undecided,  ///< the tool says so itself, or its rule cannot be applied to these numbers
};

std::string_view to_text(Answer answer);

/// The rule of one tool at its defaults. `history` holds the sessions of the baseline, oldest first. A rule that
/// compares two sessions takes the most recent of them. Times that are missing, not finite or not positive, and fewer
/// rounds or sessions than the rule needs, make the answer `undecided`.
using Judge = Answer (*)(std::span<Session const> history, Session const& now);

struct Rule {
  std::string_view name;         ///< as shown in tables
  std::string_view description;  ///< one sentence
  std::string_view source;       ///< file or document that says so
  std::string_view version;      ///< release or commit that was read, if the source has one
  int year = 0;                  ///< of that version, or in which it was read
  bool says_faster = true;       ///< false: improvements are not looked for, so the answer is never `faster`
  Judge judge = nullptr;
};

/// All rules, in the order in which a table shows them. Names are unique.
std::vector<Rule> const& rules();

}  // namespace perfcheck::peers
