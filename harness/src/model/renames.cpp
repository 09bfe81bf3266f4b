// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/renames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace perfcheck::model {
namespace {

/// With more of them in one side, it is anybody's guess which text each one stands for.
constexpr std::ptrdiff_t kMostStars = 4;

std::ptrdiff_t stars_in(std::string_view text) { return std::ranges::count(text, '*'); }

/// The two parts of a pattern. One without '@' matches kernels and says nothing about problems.
struct Pattern {
  std::string kernel;
  std::optional<std::string> problem;
};

Pattern pattern_of(std::string const& text) {
  std::size_t const at = text.find('@');
  return at == std::string::npos ? Pattern{.kernel = text, .problem = {}}
                                 : Pattern{.kernel = text.substr(0, at), .problem = text.substr(at + 1)};
}

/// Matches the whole text. On success, `stands_for` holds what each `*` stands for; shorter texts are tried first.
bool match(std::string_view pattern, std::string_view text, std::vector<std::string>& stands_for) {
  if (pattern.empty()) {
    return text.empty();
  }
  if (pattern.front() != '*') {
    return !text.empty() && pattern.front() == text.front() && match(pattern.substr(1), text.substr(1), stands_for);
  }
  for (std::size_t length = 0; length <= text.size(); ++length) {
    stands_for.emplace_back(text.substr(0, length));
    if (match(pattern.substr(1), text.substr(length), stands_for)) {
      return true;
    }
    stands_for.pop_back();
  }
  return false;
}

std::string filled(std::string_view pattern, std::vector<std::string> const& stands_for) {
  std::string text;
  std::size_t star = 0;
  for (char const c : pattern) {
    text += c == '*' ? stands_for.at(star++) : std::string(1, c);
  }
  return text;
}

std::optional<std::string> part_renamed(std::string const& from, std::string const& to, std::string const& text) {
  std::vector<std::string> stands_for;
  return match(from, text, stands_for) ? std::optional(filled(to, stands_for)) : std::nullopt;
}

/// The case's name after renaming `from` to `to`; empty if `from` does not match it.
std::optional<CaseName> case_renamed(std::string const& from, std::string const& to, CaseName const& name) {
  Pattern const before = pattern_of(from), after = pattern_of(to);
  std::optional<std::string> kernel = part_renamed(before.kernel, after.kernel, name.kernel);
  std::optional<std::string> problem =
      before.problem ? part_renamed(*before.problem, after.problem.value_or(""), name.problem) : name.problem;
  return kernel && problem ? std::optional(CaseName{.kernel = *kernel, .problem = *problem}) : std::nullopt;
}

bool parts_overlap(std::string_view one, std::string_view other) {
  // reach[j]: can the part of `one` that was read and the first j characters of `other` match the same text?
  std::vector<bool> reach(other.size() + 1);
  reach[0] = true;
  for (std::size_t j = 0; j < other.size() && other[j] == '*'; ++j) {
    reach[j + 1] = true;
  }
  for (char const c : one) {
    std::vector<bool> next(other.size() + 1);
    for (std::size_t j = 0; j <= other.size(); ++j) {
      bool const on_star = j > 0 && other[j - 1] == '*';
      next[j] = (c == '*' && (reach[j] || (j > 0 && next[j - 1]))) || (on_star && (reach[j] || next[j - 1])) ||
                (j > 0 && c == other[j - 1] && reach[j - 1]);
    }
    reach = std::move(next);
  }
  return reach.back();
}

/// Does `general` match all that `special` matches? The stars of `special` become a character that no id has.
bool covers(std::string const& general, std::string special) {
  std::ranges::replace(special, '*', '\x01');
  Pattern const one = pattern_of(special);
  return case_renamed(general, general, {.kernel = one.kernel, .problem = one.problem.value_or("\x01")}).has_value();
}

[[noreturn]] void refuse(Rename const& entry, std::string const& why) {
  throw RenameError(fmt::format("{}: {}", entry.place, why));
}

void require_form(Rename const& entry) {
  Pattern const from = pattern_of(entry.from), to = pattern_of(entry.to);
  for (std::string const* side : {&entry.from, &entry.to}) {
    Pattern const one = pattern_of(*side);
    bool const plain = std::ranges::none_of(*side, [](char c) { return static_cast<unsigned char>(c) < ' '; });
    if (one.kernel.empty() || (one.problem && one.problem->empty()) || !plain) {
      refuse(entry, fmt::format("\"{}\" is neither a kernel's id nor a case's, kernel@problem", *side));
    }
    if (side->find("**") != std::string::npos || stars_in(*side) > kMostStars) {
      refuse(entry, fmt::format("\"{}\" has two * side by side or more than {}: write entries of their own", *side,
                                kMostStars));
    }
  }
  if (from.problem.has_value() != to.problem.has_value()) {
    refuse(entry, fmt::format("\"{}\" and \"{}\" must both be of kernels, or both of cases (kernel@problem)",
                              entry.from, entry.to));
  }
  if (stars_in(from.kernel) != stars_in(to.kernel) ||
      stars_in(from.problem.value_or("")) != stars_in(to.problem.value_or(""))) {
    refuse(entry, fmt::format("\"{}\" and \"{}\" must have as many * each: one stands for the same text on both sides",
                              entry.from, entry.to));
  }
  if (entry.from == entry.to) {
    refuse(entry, "old and new id are the same: take it out");
  }
}

/// Would what the entry makes match the entry again, after passing through the entries from `first` on?
bool is_circle(std::vector<Rename> const& entries, std::size_t first, Rename const& entry) {
  std::string text = entry.to;
  for (std::size_t i = first; &entries[i] != &entry; ++i) {
    if (patterns_overlap(text, entries[i].from)) {
      text = entries[i].to;
    }
  }
  return patterns_overlap(text, entry.from);
}

/// Checks an entry against one that stands before it, or against itself.
void require_order(std::vector<Rename> const& entries, Rename const& entry, std::size_t before) {
  Rename const& earlier = entries[before];
  if (patterns_overlap(entry.to, earlier.from)) {
    if (&entry == &earlier) {
      refuse(entry, fmt::format("\"{}\" would be renamed again, and again: name the old ids more closely", entry.to));
    }
    if (is_circle(entries, before, entry)) {
      refuse(entry, fmt::format("together with {} it is a circle: an id that was given up is not used again; choose "
                                "another one",
                                earlier.place));
    }
    refuse(entry,
           fmt::format("makes \"{}\", which {} renames, too: entries stand in the order in which ids were renamed, "
                       "so put it above that one; an id that was given up is not used again",
                       entry.to, earlier.place));
  }
  if (&entry != &earlier && covers(earlier.from, entry.from)) {
    refuse(entry, fmt::format("matches nothing, because {} renames all of it: put it above that one", earlier.place));
  }
  if (&entry != &earlier && entry.to == earlier.to) {
    refuse(entry,
           fmt::format("collides with {}: both make \"{}\"; give one of them another id", earlier.place, entry.to));
  }
}

[[noreturn]] void refuse_collision(Renames const& renames, std::string const& before, std::string const& now,
                                   std::string const& origin) {
  std::string const place = renames.place_of(before);
  throw RenameError(fmt::format(
      "{}: makes \"{}\" of \"{}\", and {} holds another case that is called so: give it another id, or take the old "
      "case out",
      place.empty() ? "perfcheck.toml: [renamed]" : place, now, before, origin));
}

/// "outlier:RUN/SESSION:CASE".
std::string finding_now(std::string const& finding, Renames const& renames) {
  std::size_t const kind = finding.find(':');
  std::size_t const subject = kind == std::string::npos ? kind : finding.find(':', kind + 1);
  return subject == std::string::npos ? finding
                                      : finding.substr(0, subject + 1) + renames.now(finding.substr(subject + 1));
}

void rename_cases(std::vector<Session>& sessions, Renames const& renames, std::string const& origin) {
  for (Session& session : sessions) {
    std::map<std::string, std::string> known;  // new id to old id
    for (CaseResult& result : session.cases) {
      std::string now = renames.now(result.id);
      if (auto const [twin, is_new] = known.emplace(now, result.id); !is_new) {
        refuse_collision(renames, now == result.id ? twin->second : result.id, now, origin);
      }
      result.id = std::move(now);
      result.reference = renames.now(result.reference);
    }
  }
}

/// If a run lists a kernel under both ids, the entry with today's id stays.
void rename_kernels(std::vector<KernelEntry>& kernels, Renames const& renames) {
  std::set<std::string> listed;
  for (KernelEntry const& kernel : kernels) {
    listed.insert(kernel.id);
  }
  std::erase_if(kernels, [&](KernelEntry const& kernel) {
    std::string const now = renames.kernel_now(kernel.id);
    return now != kernel.id && listed.contains(now);
  });
  for (KernelEntry& kernel : kernels) {
    kernel.id = renames.kernel_now(kernel.id);
  }
}

}  // namespace

bool patterns_overlap(std::string const& one, std::string const& other) {
  Pattern const a = pattern_of(one), b = pattern_of(other);
  return parts_overlap(a.kernel, b.kernel) && parts_overlap(a.problem.value_or("*"), b.problem.value_or("*"));
}

Renames::Renames(std::vector<Rename> entries) : entries_(std::move(entries)) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    require_form(entries_[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      require_order(entries_, entries_[i], j);
    }
  }
}

Renames Renames::limited(std::size_t from, std::set<std::string> cases) const {
  Renames some = *this;
  some.limit_ = from;
  some.limited_to_ = std::move(cases);
  return some;
}

Renames::Steps Renames::steps(std::string const& case_id) const {
  Steps steps{.id = case_id, .place = ""};
  CaseName name = split_case_id(case_id);
  bool honoured = true;  // once false, no later entry applies
  for (std::size_t i = 0; i < entries_.size() && honoured && !name.kernel.empty(); ++i) {
    honoured = i != limit_ || limited_to_.contains(steps.id);
    std::optional<CaseName> renamed = case_renamed(entries_[i].from, entries_[i].to, name);
    if (renamed && honoured) {
      name = std::move(*renamed);
      steps = {.id = model::case_id(name.kernel, name.problem), .place = entries_[i].place};
    }
  }
  return steps;
}

std::string Renames::now(std::string const& case_id) const { return empty() ? case_id : steps(case_id).id; }

std::string Renames::place_of(std::string const& old_id) const { return steps(old_id).place; }

std::string Renames::kernel_now(std::string const& kernel) const {
  std::string now = kernel;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    bool const honoured =
        i < limit_ ||
        std::ranges::any_of(limited_to_, [&](std::string const& id) { return split_case_id(id).kernel == now; });
    if (honoured && entries_[i].from.find('@') == std::string::npos) {
      now = part_renamed(entries_[i].from, entries_[i].to, now).value_or(now);
    }
  }
  return now;
}

std::vector<std::string> Renames::before(std::string const& case_id) const {
  std::vector<std::string> names{case_id};
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    for (std::size_t i = 0, count = names.size(); i < count; ++i) {
      if (auto const old = case_renamed(entry->to, entry->from, split_case_id(names[i]))) {
        names.push_back(model::case_id(old->kernel, old->problem));
      }
    }
  }
  // A pattern applied backwards may give an id that does not become this case today.
  std::erase_if(names, [&](std::string const& name) { return name == case_id || now(name) != case_id; });
  return names;
}

std::vector<std::string> Renames::all(std::string const& case_id) const {
  std::string const today = now(case_id);
  std::vector<std::string> ids = before(today);
  ids.push_back(today);
  return ids;
}

Baseline renamed(Baseline baseline, Renames const& renames, std::string const& origin) {
  if (renames.empty()) {
    return baseline;
  }
  std::map<std::string, BaselineCase> cases;
  std::map<std::string, std::string> before;
  for (auto& [id, stored] : baseline.cases) {
    std::string const now = renames.now(id);
    stored.reference = renames.now(stored.reference);
    if (!cases.emplace(now, std::move(stored)).second) {
      refuse_collision(renames, now == id ? before.at(now) : id, now, origin);
    }
    before.emplace(now, id);
  }
  baseline.cases = std::move(cases);
  for (Acceptance& acceptance : baseline.accepted) {
    for (Despite& despite : acceptance.despite) {
      despite.finding = finding_now(despite.finding, renames);
    }
  }
  return baseline;
}

Run renamed(Run run, Renames const& renames, std::string const& origin) {
  if (!renames.empty()) {
    rename_cases(run.sessions, renames, origin);
    rename_cases(run.base_sessions, renames, origin);
    rename_kernels(run.kernels, renames);
  }
  return run;
}

}  // namespace perfcheck::model
