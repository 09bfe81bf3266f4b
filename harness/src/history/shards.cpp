// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "shards.h"

#include "perfcheck/codec/deflate.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>

namespace perfcheck::history {
namespace {

// The size of a run file with a hundred thousand cases; data that inflates to more is not a run file.
constexpr std::size_t kLargestShard = std::size_t{1} << 30;

std::vector<Parameter> key_of(model::Run const& run) {
  return {run.shard->fan_out, run.sessions.front().device.slug, run.worker.operation};
}

}  // namespace

void put_shard(Database& database, std::string const& name, model::Run const& run) {
  if (!run.shard || run.shard->index == 0 || run.shard->fan_out.empty() || run.sessions.empty()) {
    throw HistoryError(
        fmt::format("{}: run {} is no shard of a fan-out with a name; measure one with --shard I/N "
                    "--fan-out ID",
                    name, model::one_line(run.id)));
  }
  std::string const packed = codec::deflate(model::run_to_text(run));
  std::vector<Parameter> key = key_of(run);
  key.emplace_back(int64_t{run.shard->index});
  std::vector<Parameter> row = key;
  row.emplace_back(run.started);
  row.emplace_back(Bytes{packed});
  database.in_transaction([&] {
    database.execute(
        "DELETE FROM shard WHERE fan_out = $1 AND device_slug = $2 AND operation = $3 AND shard_index = $4", key);
    database.insert("shard", {"fan_out", "device_slug", "operation", "shard_index", "started", "run"}, {row}, "");
  });
}

std::vector<model::Run> read_shards(Database& database, std::string const& fan_out) {
  std::vector<model::Run> runs;
  database.query("SELECT run, shard_index FROM shard WHERE fan_out = $1 ORDER BY device_slug, operation, shard_index",
                 {std::string_view(fan_out)}, [&](Row const& row) {
                   std::string const origin = fmt::format("shard {} of {}", row.integer(1), model::one_line(fan_out));
                   runs.push_back(model::run_from_text(codec::inflate(row.bytes(0), kLargestShard), origin));
                 });
  return runs;
}

void drop_shards(Database& database, model::Run const& merged) {
  if (merged.shard && !merged.shard->fan_out.empty()) {
    database.execute("DELETE FROM shard WHERE fan_out = $1 AND device_slug = $2 AND operation = $3", key_of(merged));
  }
}

}  // namespace perfcheck::history
