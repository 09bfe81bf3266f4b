// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/history/history.h"

#include "database.h"
#include "perfcheck/codec/deflate.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"
#include "place.h"
#include "reader.h"
#include "schema.h"
#include "shards.h"
#include "writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace perfcheck::history {
namespace {

/// Turns decoding errors, which mean that the history is damaged, into HistoryError.
template <typename Work>
auto reading(std::string const& name, Work work) {
  try {
    return work();
  } catch (codec::DecodeError const& error) {
    throw HistoryError(fmt::format("{}: is damaged: {}; restore it from a copy", name, error.what()));
  } catch (model::FormatError const& error) {
    throw HistoryError(fmt::format("{}: is damaged, or a newer perfcheck wrote it: {}", name, error.what()));
  } catch (nlohmann::json::exception const& error) {
    throw HistoryError(fmt::format("{}: is damaged: {}; restore it from a copy", name, error.what()));
  }
}

/// Makes one series of each case that the history holds under both an old id and a new one.
std::vector<SeriesEntry> merged_series(std::vector<SeriesEntry> found, model::Renames const& renames) {
  if (renames.empty()) {
    return found;
  }
  // Series that already have the new id come first, so that the merged series gets their number.
  std::ranges::stable_partition(found, [&](SeriesEntry const& one) { return renames.now(one.case_id) == one.case_id; });
  std::map<std::tuple<std::string, std::string, std::string>, SeriesEntry> merged;
  for (SeriesEntry& one : found) {
    one.case_id = renames.now(one.case_id);
    auto const [known, is_new] = merged.try_emplace({one.device_slug, one.operation, one.case_id}, one);
    if (!is_new) {
      known->second.earlier.push_back(one.number);
    }
  }
  std::vector<SeriesEntry> series;
  for (auto& [key, one] : merged) {
    series.push_back(std::move(one));
  }
  return series;
}

/// Before a rename was recorded in [renamed], a run lacked the case under its old id and measured it under the new one.
bool was_missing(StoredDecision const& decision) { return decision.verdict == model::Verdict::missing; }
bool was_missing(Result const& result) { return result.decision && was_missing(*result.decision); }

[[noreturn]] void refuse_twins(std::string const& name, SeriesEntry const& series, model::Renames const& renames) {
  std::vector<std::string> const before = renames.before(series.case_id);
  std::string const place = before.empty() ? std::string() : renames.place_of(before.front());
  throw model::RenameError(
      fmt::format("{}: makes \"{}\" of an older case, and {} holds a run that has both: give it another id", place,
                  series.case_id, name));
}

}  // namespace

History::History(std::string const& place, Mode mode)
    : name_(name_of(place)), database_(is_postgres(place) ? open_postgres(place, mode) : open_sqlite(place, mode)) {
  if (mode == Mode::write) {
    bring_up_to_date(*database_, name_, migrations());
  } else {
    require_up_to_date(*database_, name_, migrations());
  }
  if (!is_postgres(place)) {
    require_tables(*database_, name_);
  }
}

History::~History() = default;
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;

History::Added History::add(model::Run const& run, std::optional<RunDecision> const& decision) {
  return reading(name_, [&] { return add_run(*database_, name_, run, decision); });
}

History::Added History::add(StoredCalibration const& calibration) {
  return add_calibration(*database_, name_, calibration);
}

void History::put_shard(model::Run const& run) { history::put_shard(*database_, name_, run); }

std::vector<model::Run> History::shards(std::string const& fan_out) {
  return reading(name_, [&] { return read_shards(*database_, fan_out); });
}

History::Added History::add_merged(model::Run const& run, std::optional<RunDecision> const& decision) {
  Added const added = add(run, decision);
  // Only afterwards: a shard that was kept too long is merged into the same run again; one dropped too early is lost.
  drop_shards(*database_, run);
  return added;
}

std::vector<RunEntry> History::runs() { return read_runs(*database_); }

std::string History::origin_of(RunEntry const& run) const {
  return fmt::format("run {} of {}", model::one_line(run.id), name_);
}

RunHead History::head(RunEntry const& run) {
  RunHead head = reading(name_, [&] { return read_head(*database_, run); });
  head.run = model::renamed(std::move(head.run), renames_, origin_of(run));
  return head;
}

model::Run History::run(RunEntry const& run) {
  return model::renamed(reading(name_, [&] { return read_run(*database_, run); }), renames_, origin_of(run));
}

std::optional<RunDecision> History::decision(RunEntry const& run) {
  std::optional<RunDecision> decision = reading(name_, [&] { return read_decision(*database_, run); });
  if (decision && !renames_.empty()) {
    std::map<std::string, StoredDecision> cases;
    for (auto& [id, one] : decision->cases) {
      auto const [known, is_new] = cases.try_emplace(renames_.now(id), one);
      if (!is_new && was_missing(known->second)) {
        known->second = std::move(one);
      }
    }
    decision->cases = std::move(cases);
  }
  return decision;
}

std::vector<SeriesEntry> History::series() { return merged_series(read_series(*database_), renames_); }

void History::read(SeriesEntry const& series, std::function<void(Result const&)> const& callback) {
  if (series.earlier.empty()) {
    reading(name_, [&] { read_results(*database_, series.number, callback); });
    return;
  }
  std::vector<int64_t> numbers{series.number};
  numbers.insert(numbers.end(), series.earlier.begin(), series.earlier.end());
  std::map<int64_t, Result> results;  // by run
  for (int64_t const number : numbers) {
    reading(name_, [&] {
      read_results(*database_, number, [&](Result const& result) {
        auto const [known, is_new] = results.try_emplace(result.run, result);
        if (!is_new && !was_missing(known->second) && !was_missing(result)) {
          refuse_twins(name_, series, renames_);
        }
        if (!is_new && was_missing(known->second)) {
          known->second = result;
        }
      });
    });
  }
  for (auto const& [run, result] : results) {
    callback(result);
  }
}

AttributeTexts History::attributes() { return read_attributes(*database_); }

std::vector<StoredCalibration> History::calibrations() { return read_calibrations(*database_); }

}  // namespace perfcheck::history
