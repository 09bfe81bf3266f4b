// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/trends/report_files.h"

#include "perfcheck/model/json_members.h"
#include "perfcheck/report/pictures.h"
#include "perfcheck/store/store.h"
#include "perfcheck/trends/case_series.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace perfcheck::trends {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(fs::path const& path, char const* what, std::string const& reason) {
  throw store::IoError(
      fmt::format("{}: {}: {}; change its permissions, make room, or name another place", path.string(), what, reason));
}

void create_folder(fs::path const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    fail(folder, "cannot be created", error.message());
  }
}

void move_over(fs::path const& from, fs::path const& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) {
    fail(to, "cannot be replaced", error.message());
  }
}

/// The case with the newest change, the largest one if there are several; the first case where nothing changed.
std::size_t case_to_draw(BuiltDevice const& built) {
  std::size_t best = 0;
  std::pair<int, double> newest{-1, 0};
  for (std::size_t i = 0; i < built.facts.size(); ++i) {
    for (report::ReportChange const& change : built.facts[i].changes) {
      if (change.metric == built.device.cases[i].metric && !change.went_away) {
        if (std::pair const candidate{change.run, std::abs(change.size)}; candidate > newest) {
          newest = candidate;
          best = i;
        }
      }
    }
  }
  return best;
}

}  // namespace

SiteFiles::SiteFiles(fs::path folder) : folder_(std::move(folder)) {
  fresh_ = folder_ / fmt::format(".data-{}", ::getpid());
  create_folder(fresh_);
}

SiteFiles::~SiteFiles() {
  std::error_code ignored;
  fs::remove_all(fresh_, ignored);
}

void SiteFiles::add(std::string const& name, std::string const& text) {
  // Not flushed to the disk one by one, which would take longer than everything else.
  fs::path const file = fresh_ / name;
  std::ofstream stream(file, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) {
    fail(file, "cannot be written", std::error_code(errno, std::generic_category()).message());
  }
  bytes_ += text.size();
}

void SiteFiles::finish(std::string const& page) {
  fs::path const data = folder_ / "data", old = folder_ / fmt::format(".old-{}", ::getpid());
  std::error_code error;
  if (fs::exists(data, error)) {
    move_over(data, old);
  }
  move_over(fresh_, data);
  store::write_file_atomically(folder_ / "index.html", page);
  fs::remove_all(old, error);
  bytes_ += page.size();
}

std::vector<std::pair<std::string, std::string>> pictures_of(BuiltDevice const& built, DeviceHistory const& device,
                                                             history::History& history) {
  std::vector<std::pair<std::string, std::string>> pictures;
  std::string const prefix = device.device_slug + "-" + device.operation;
  std::map<int, std::size_t> kernels;  // how many kernels measured each problem
  std::size_t most = 0;
  for (report::ReportCase const& one : built.device.cases) {
    if (one.latest && report::value_of(one.latest->figures, "tflops")) {
      most = std::max(most, ++kernels[one.problem]);
    }
  }
  for (auto const& [problem, count] : kernels) {
    if (count == most) {
      std::string const name = model::slug_of(built.device.problems[static_cast<std::size_t>(problem)].text);
      pictures.emplace_back(fmt::format("{}-ladder-{}.svg", prefix, name), report::ladder_svg(built.device, problem));
    }
  }
  if (!built.device.cases.empty()) {
    std::size_t const drawn = case_to_draw(built);
    CaseSeries const series =
        read_case_series(history, device.series[drawn], RunAxis(device.runs), history.attributes());
    pictures.emplace_back(prefix + "-trend.svg",
                          report::trend_svg(built.device, static_cast<int>(drawn), series.series, built.facts[drawn],
                                            built.device.cases[drawn].metric));
  }
  return pictures;
}

void write_in_folder(fs::path const& file, std::string const& text) {
  if (!file.parent_path().empty()) {
    create_folder(file.parent_path());
  }
  store::write_file_atomically(file, text);
}

std::string file_json(fs::path const& file, std::size_t bytes) {
  return model::one_line_text({{"file", file.string()}, {"bytes", bytes}}) + "\n";
}

}  // namespace perfcheck::trends
