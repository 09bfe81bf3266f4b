// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/plan_text.h"

#include "perfcheck/report/columns.h"
#include "perfcheck/report/format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace perfcheck::measuring {
namespace {

std::string availability(model::KernelEntry const& kernel) {
  return kernel.unavailable ? fmt::format("{}: {}", model::to_text(*kernel.unavailable), kernel.reason) : "yes";
}

/// What a kernel declares and a problem's types do not show: "executes i8", "executes i8, 0.875 of the work".
std::string declared_arithmetic(model::KernelEntry const& kernel) {
  std::string const share =
      kernel.work_share > 0 ? report::format_number(kernel.work_share) + " of the work" : std::string();
  if (kernel.executes.empty() && share.empty()) {
    return "";
  }
  return fmt::format("executes {}{}{}", kernel.executes, kernel.executes.empty() || share.empty() ? "" : ", ", share);
}

bool concerned(std::vector<std::string> const& filters, model::KernelEntry const& kernel, Plan const& plan) {
  return filters.empty() || std::any_of(plan.cases.begin(), plan.cases.end(), [&](auto const& planned) {
           return model::split_case_id(planned.id).kernel == kernel.id;
         });
}

std::string name_of(Plan const& plan, std::string const& case_id) {
  auto const found = plan.problem_names.find(model::split_case_id(case_id).problem);
  return found == plan.problem_names.end() ? "" : found->second;
}

/// Few kernels declare anything, so the column "declares" is left out if none does.
std::string kernel_table(std::vector<std::vector<std::string>> kernels) {
  constexpr std::size_t kDeclares = 2;
  std::vector<report::Column> columns{{"kernel", {}}, {"available", {}}, {"declares", {}}, {"summary", {}}};
  if (std::ranges::all_of(kernels, [](auto const& row) { return row[kDeclares].empty(); })) {
    columns.erase(columns.begin() + kDeclares);
    for (auto& row : kernels) {
      row.erase(row.begin() + kDeclares);
    }
  }
  return report::columns(columns, std::move(kernels));
}

}  // namespace

std::string plan_text(Workbench const& bench, std::vector<std::string> const& filters) {
  Plan const& plan = bench.plan;
  std::vector<std::vector<std::string>> kernels, cases;
  for (model::KernelEntry const& kernel : plan.hello.kernels) {
    if (concerned(filters, kernel, plan)) {
      kernels.push_back({kernel.id, availability(kernel), declared_arithmetic(kernel), kernel.summary});
    }
  }
  for (protocol::PlannedCase const& planned : plan.cases) {
    std::string const name = name_of(plan, planned.id);
    cases.push_back({planned.id, report::format_number(planned.work.flop / 1e9), name,
                     planned.skip_reason
                         ? fmt::format("left out, {}: {}", model::to_text(*planned.skip_reason), planned.reason)
                         : std::string("runs")});
  }
  config::Suite const& suite = bench.config.suite(bench.suite, plan.hello.worker.backend);
  std::string text = kernel_table(kernels);
  text += fmt::format("\nsuite {}: {}\n\n", suite.name, suite.description);
  text += report::columns({{"case", {}}, {"GFLOP", report::Column::Align::right}, {"stands for", {}}, {"", {}}}, cases);
  text += fmt::format("\nkernels: {}; cases: {}, {} of them left out\n", kernels.size(), plan.cases.size(),
                      plan.cases.size() - plan.runnable());
  return text;
}

nlohmann::json plan_json(Workbench const& bench, std::vector<std::string> const& filters) {
  Plan const& plan = bench.plan;
  nlohmann::json kernels = nlohmann::json::array(), cases = nlohmann::json::array(), suites = nlohmann::json::array();
  for (model::KernelEntry const& kernel : plan.hello.kernels) {
    if (!concerned(filters, kernel, plan)) {
      continue;
    }
    nlohmann::json entry = {{"id", kernel.id},
                            {"summary", kernel.summary},
                            {"file", kernel.file},
                            {"line", kernel.line},
                            {"arch", kernel.arch}};
    if (!kernel.executes.empty()) {
      entry["executes"] = kernel.executes;
    }
    if (kernel.work_share > 0) {
      entry["work_share"] = kernel.work_share;
    }
    if (kernel.unavailable) {
      entry["unavailable"] = model::to_text(*kernel.unavailable);
      entry["reason"] = kernel.reason;
    }
    kernels.push_back(std::move(entry));
  }
  for (protocol::PlannedCase const& planned : plan.cases) {
    nlohmann::json entry = {{"id", planned.id},
                            {"reference", planned.reference},
                            {"flop", planned.work.flop},
                            {"bytes", planned.work.bytes}};
    if (planned.skip_reason) {
      entry["skip_reason"] = model::to_text(*planned.skip_reason);
      entry["reason"] = planned.reason;
    }
    if (std::string const name = name_of(plan, planned.id); !name.empty()) {
      entry["name"] = name;
    }
    cases.push_back(std::move(entry));
  }
  for (config::Suite const& suite : bench.config.suites) {
    if (suite.backend == plan.hello.worker.backend) {
      suites.push_back({{"name", suite.name}, {"description", suite.description}});
    }
  }
  return {{"schema", "perfcheck.list/1"},
          {"suite", bench.suite},
          {"suites", suites},
          {"kernels", kernels},
          {"cases", cases}};
}

}  // namespace perfcheck::measuring
