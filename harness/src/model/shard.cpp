// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/shard.h"

#include "perfcheck/model/digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace perfcheck::model {
namespace {

/// What all shards of one fan-out must have in common, each with its name for messages.
std::vector<std::pair<char const*, std::string>> identity_of(Run const& run) {
  return {{"operation", fmt::format("{}", fmt::join(operations_of(run.worker), ", "))},
          {"device model", run.sessions.empty() ? "" : run.sessions.front().device.slug},
          {"commit", run.source.commit + (run.source.dirty ? " with changes" : "")},
          {"suite", run.suite},
          {"filters", fmt::format("{}", fmt::join(run.filters, ", "))},
          {"injected slowdowns", fmt::format("{}", fmt::join(run.injected, ", "))},
          {"number of shards", std::to_string(run.shard->count)},
          {"fan-out", run.shard->fan_out}};
}

void require_shard(Run const& run) {
  if (!run.shard || run.shard->index == 0) {
    throw std::invalid_argument(fmt::format(
        "run {} is no shard; measure shards with --shard I/N, and use perfcheck compare for whole runs", run.id));
  }
  if (run.sessions.empty()) {
    throw std::invalid_argument(fmt::format("run {}, shard {} of {}, holds no session; measure it again", run.id,
                                            run.shard->index, run.shard->count));
  }
  for (Session const& session : run.sessions) {
    for (CaseResult const& result : session.cases) {
      if (!measures(run.shard, result.id)) {
        throw std::invalid_argument(
            fmt::format("run {} holds {}, which is not of shard {} of {}; was the file edited, or written by another "
                        "version of perfcheck?",
                        run.id, result.id, run.shard->index, run.shard->count));
      }
    }
  }
}

void require_one_fan_out(Run const& first, Run const& other) {
  auto const wanted = identity_of(first), found = identity_of(other);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].second != found[i].second) {
      throw std::invalid_argument(
          fmt::format("runs {} and {} are not shards of one fan-out: {} is \"{}\" in one and \"{}\" in the other",
                      first.id, other.id, wanted[i].first, wanted[i].second, found[i].second));
    }
  }
}

std::vector<int> missing_of(std::vector<Run> const& shards) {
  std::vector<int> missing;
  for (int index = 1; index <= shards.front().shard->count; ++index) {
    bool const there = std::ranges::any_of(shards, [&](Run const& run) { return run.shard->index == index; });
    if (!there) {
      missing.push_back(index);
    }
  }
  return missing;
}

/// "20261121T081502Z-3f2a" of the earliest shard, with a hash of all ids in place of its random part.
std::string merged_id(std::vector<Run> const& shards) {
  Digest digest;
  std::string earliest = shards.front().id;
  for (Run const& run : shards) {
    digest.add(run.id);
    earliest = std::min(earliest, run.id);
  }
  return fmt::format("{}-{}", earliest.substr(0, earliest.find('-')), digest.text());
}

void add(Run& whole, Run shard) {
  for (Session& session : shard.sessions) {
    session.id = fmt::format("s{}", whole.sessions.size() + 1);
    whole.sessions.push_back(std::move(session));
  }
  for (Session& session : shard.base_sessions) {
    session.id = fmt::format("b{}", whole.base_sessions.size() + 1);
    whole.base_sessions.push_back(std::move(session));
  }
  for (KernelEntry& kernel : shard.kernels) {
    bool const known = std::ranges::any_of(whole.kernels, [&](KernelEntry const& one) { return one.id == kernel.id; });
    if (!known) {
      whole.kernels.push_back(std::move(kernel));
    }
  }
  add_problems(whole.problems, shard.problems);
  whole.started = std::min(whole.started, shard.started);
  whole.seconds = std::max(whole.seconds, shard.seconds);  // they ran at the same time
}

}  // namespace

int shard_of(std::string_view case_id, int count) {
  // The digest is FNV-1a, whose low bits are badly distributed over few values. The multiplications distribute them
  // (Vigna's SplitMix64 finalizer).
  Digest digest;
  digest.add(case_id);
  uint64_t hash = digest.value();
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
  hash ^= hash >> 31;
  return static_cast<int>(hash % static_cast<uint64_t>(count)) + 1;
}

bool measures(std::optional<Shard> const& shard, std::string_view case_id) {
  return !shard || shard->index == 0 || shard_of(case_id, shard->count) == shard->index;
}

MergedRun merge(std::vector<Run> shards) {
  if (shards.empty()) {
    throw std::invalid_argument("there is no shard to merge");
  }
  std::ranges::for_each(shards, require_shard);
  std::ranges::sort(shards, {}, [](Run const& run) { return run.shard->index; });
  for (std::size_t i = 1; i < shards.size(); ++i) {
    require_one_fan_out(shards.front(), shards[i]);
    if (shards[i].shard->index == shards[i - 1].shard->index) {
      throw std::invalid_argument(fmt::format("shard {} is there twice, as runs {} and {}; leave one out",
                                              shards[i].shard->index, shards[i - 1].id, shards[i].id));
    }
  }
  MergedRun merged{.run = shards.front(), .missing = missing_of(shards)};
  merged.run.id = merged_id(shards);
  merged.run.shard->index = 0;
  merged.run.sessions.clear();
  merged.run.base_sessions.clear();
  for (Run& shard : shards) {
    add(merged.run, std::move(shard));
  }
  return merged;
}

}  // namespace perfcheck::model
