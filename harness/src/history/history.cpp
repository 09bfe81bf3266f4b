// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/history/history.h"

#include "database.h"
#include "perfcheck/codec/deflate.h"
#include "perfcheck/model/json.h"
#include "place.h"
#include "reader.h"
#include "schema.h"
#include "shards.h"
#include "writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfcheck::history {
namespace {

/// Damage inside a history is told like any other failure of it.
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
  // Afterwards: a shard that is there once too often is merged again to the same run, one that is gone is lost.
  drop_shards(*database_, run);
  return added;
}

std::vector<RunEntry> History::runs() { return read_runs(*database_); }

RunHead History::head(RunEntry const& run) {
  return reading(name_, [&] { return read_head(*database_, run); });
}

model::Run History::run(RunEntry const& run) {
  return reading(name_, [&] { return read_run(*database_, run); });
}

std::optional<RunDecision> History::decision(RunEntry const& run) {
  return reading(name_, [&] { return read_decision(*database_, run); });
}

std::vector<SeriesEntry> History::series() { return read_series(*database_); }

void History::read(SeriesEntry const& series, std::function<void(Result const&)> const& callback) {
  reading(name_, [&] { read_results(*database_, series, callback); });
}

AttributeTexts History::attributes() { return read_attributes(*database_); }

std::vector<StoredCalibration> History::calibrations() { return read_calibrations(*database_); }

}  // namespace perfcheck::history
