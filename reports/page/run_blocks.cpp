// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/run_blocks.h"

#include "page/columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace perfcheck::report {

struct RunBlocks::Block {
  int first = 0, end = 0;  ///< runs
  ValueColumns columns;
  ColumnEncoder attributes{"attributes", ColumnEncoder::Kind::index, 1};
  std::vector<std::size_t> table;              ///< indices into texts_
  std::unordered_map<std::size_t, int> place;  ///< position in that table, counted from 1

  void add_absent() {
    columns.add_absent();
    attributes.add(0);
  }
  /// `text`: attributes of what was launched, as an index into texts_.
  void add(Series const& series, std::size_t i, std::size_t text) {
    columns.add(series, i);
    auto const [entry, is_new] = place.try_emplace(text, static_cast<int>(table.size()) + 1);
    if (is_new) table.push_back(text);
    attributes.add(entry->second);
  }
};

RunBlocks::RunBlocks(int runs, int cases) : runs_(runs), cases_(cases) {
  for (int first = 0; first < runs; first += kRunsPerBlock) {
    blocks_.push_back(std::make_unique<Block>(Block{.first = first, .end = std::min(runs, first + kRunsPerBlock)}));
  }
}

RunBlocks::~RunBlocks() = default;
RunBlocks::RunBlocks(RunBlocks&&) noexcept = default;
RunBlocks& RunBlocks::operator=(RunBlocks&&) noexcept = default;

int RunBlocks::blocks() const { return static_cast<int>(blocks_.size()); }

void RunBlocks::skip_to(int case_index) {
  for (; next_case_ < case_index; ++next_case_) {
    for (std::unique_ptr<Block> const& block : blocks_) {
      if (block == nullptr) continue;
      for (int run = block->first; run < block->end; ++run) block->add_absent();
    }
  }
}

void RunBlocks::add(int case_index, Series const& series) {
  check(series);
  if (case_index < next_case_ || case_index >= cases_) {
    throw std::invalid_argument(
        fmt::format("run blocks: case {} cannot follow the first {} of {}", case_index, next_case_, cases_));
  }
  if (!series.run.empty() && series.run.back() >= runs_) {
    throw std::invalid_argument(fmt::format("run blocks: run {} is not one of {}", series.run.back(), runs_));
  }
  if (std::any_of(blocks_.begin(), blocks_.end(), [](auto const& block) { return block == nullptr; })) {
    throw std::invalid_argument("run blocks: a case cannot be added after a block was finished");
  }
  skip_to(case_index);
  std::vector<std::size_t> texts;
  for (std::string const& text : series.attribute_table) texts.push_back(text_number(text));
  std::size_t i = 0;
  for (std::unique_ptr<Block> const& block : blocks_) {
    for (int run = block->first; run < block->end; ++run) {
      if (i < series.size() && series.run[i] == run) {
        block->add(series, i, texts[static_cast<std::size_t>(series.attributes[i])]);
        ++i;
      } else {
        block->add_absent();
      }
    }
  }
  ++next_case_;
}

std::size_t RunBlocks::text_number(std::string const& text) {
  auto const [entry, is_new] = number_of_text_.try_emplace(text, texts_.size());
  if (is_new) texts_.push_back(&entry->first);  // stays valid: nothing is ever erased from the map
  return entry->second;
}

std::string RunBlocks::finish(int block) {
  if (block < 0 || block >= blocks() || blocks_[static_cast<std::size_t>(block)] == nullptr) {
    throw std::invalid_argument(fmt::format("run blocks: there is no block {}, or it was finished", block));
  }
  skip_to(cases_);  // only the first call does anything: then every block has every case
  std::unique_ptr<Block> const finished = std::move(blocks_[static_cast<std::size_t>(block)]);
  nlohmann::json table = nlohmann::json::array({nullptr});
  for (std::size_t const text : finished->table) table.push_back(attributes_json(*texts_[text]));
  return finished->columns.bytes({&finished->attributes}, {{"attributes", std::move(table)}});
}

}  // namespace perfcheck::report
