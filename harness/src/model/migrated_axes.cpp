// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The one place that reads GEMM texts outside of the operation: for runs before perfcheck.run/4. GEMM texts of those
// versions do not change any more, so neither does this.
#include "perfcheck/model/problem.h"

#include <regex>
#include <sstream>

namespace perfcheck::model {

std::vector<Axis> migrated_axes(std::string const& operation, std::string const& problem) {
  static std::regex const gemm("(f32|tf32|f16\\.f32|bf16\\.f32),(nn|nt),m([0-9]{1,7})n([0-9]{1,7})k([0-9]{1,7})(,.+)?");
  static std::regex const option("(lda|ldb|ldd|alpha|beta)([-+.0-9e]{1,20})");
  std::smatch part;
  if (operation != "gemm" || !std::regex_match(problem, part, gemm)) return {};
  std::vector<Axis> axes = {{"types", part[1].str()}, {"layout", part[2].str()}};
  for (std::size_t i = 3; i < 6; ++i) axes.emplace_back(i == 3 ? "m" : i == 4 ? "n" : "k", std::stod(part[i].str()));
  std::istringstream rest(part[6].str().substr(part[6].length() > 0 ? 1 : 0));
  for (std::string word; std::getline(rest, word, ',');) {
    std::smatch number;
    if (std::regex_match(word, number, option)) {
      std::istringstream digits(number[2].str());
      double value = 0;
      if (!(digits >> value)) return {};
      axes.emplace_back(number[1].str(), value);
    } else if (word == "hot") {
      axes.emplace_back("cache", word);
    } else {
      return {};
    }
  }
  return axes;
}

}  // namespace perfcheck::model
