// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "desk.h"

#include "recordings.h"

#include "perfcheck/gate/glob.h"
#include "perfcheck/history/history.h"
#include "perfcheck/model/json.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>

namespace perfcheck::adversarial {
namespace {

using cli::testing::Finished;
using model::SessionPurpose;

constexpr char const* kCard = "cal/gpu-ee9709a1-58e3-3e73-7f84-e0fa00c3a411/";
constexpr char const* kOtherCard = "cal/gpu-7bfe2576-e2ea-6af1-188c-8001e2d93b96/";
constexpr char const* kThirdCard = "cal/gpu-89d0690f-35f4-881c-c236-8e5d360f407e/";
constexpr char const* kFourthCard = "cal/gpu-69141511-8732-f779-0be1-94ae931f4cf9/";

constexpr std::array<char const*, 16> kCases = {kCase,
                                                "gemm/mma/f16_pipeline@f16.f32,nt,m2048n11008k4096",
                                                "gemm/mma/f16_pipeline@f16.f32,nt,m4096n1024k4096",
                                                "gemm/mma/bf16_pipeline@bf16.f32,nt,m4096n1024k4096",
                                                "gemm/mma/tf32_pipeline@tf32,nt,m2048n12288k4096",
                                                "gemm/wmma/shared_tile_f16@f16.f32,nt,m2048n4096k11008",
                                                "gemm/wmma/shared_tile_bf16@bf16.f32,nt,m4096n1024k4096",
                                                "gemm/simt/cp_async_pipeline@f32,nn,m1024n3072k768",
                                                "gemm/simt/register_tile@f32,nn,m1024n3072k768",
                                                kSimtCase,
                                                "gemm/simt/shared_tile@f32,nn,m1024n1024k1024",
                                                "gemm/simt/naive@f32,nn,m1024n1024k1024",
                                                kLibraryCase,
                                                "gemm/library/cublas_f16@f16.f32,nt,m1024n8192k8192",
                                                "gemm/library/cublas_bf16@bf16.f32,nn,m2048n2048k2048",
                                                "gemm/library/cublas_tf32@tf32,nt,m16n14336k4096"};

// Two suites; the second one names some of the first one's problems.
constexpr char const* kSuites = R"(
[suites.default.cuda]
problems = [
  "f16.f32,nt,m2048n4096k11008",
  "f16.f32,nt,m2048n11008k4096",
  "f16.f32,nt,m4096n1024k4096",
  "f16.f32,nt,m1024n8192k8192",
  "bf16.f32,nt,m4096n1024k4096",
  "bf16.f32,nn,m2048n2048k2048",
  "tf32,nt,m2048n12288k4096",
  "tf32,nt,m16n14336k4096",
  "f32,nn,m1024n3072k768",
  "f32,nn,m1024n1024k1024",
]
[suites.smoke.cuda]
problems = ["f32,nn,m1024n3072k768", "f32,nn,m1024n1024k1024"]
)";

/// A recorded run with only the cases above.
model::Run recorded(std::string const& file) {
  model::Run run = store::testing::recorded_run(file);
  for (model::Session& session : run.sessions) {
    std::erase_if(session.cases,
                  [](model::CaseResult const& result) { return std::ranges::find(kCases, result.id) == kCases.end(); });
    if (session.cases.size() != kCases.size()) {
      throw std::runtime_error(fmt::format("{}: session {} holds {} of the {} cases", file, session.id,
                                           session.cases.size(), kCases.size()));
    }
  }
  return run;
}

/// With the purposes that `check` gives sessions: the first one screens, the others confirm.
model::Run checked(model::Run run) {
  for (std::size_t i = 0; i < run.sessions.size(); ++i) {
    run.sessions[i].purpose = i == 0 ? SessionPurpose::screen : SessionPurpose::confirm;
  }
  return run;
}

/// Everything that perfcheck.toml says before its suites, without renames that concern none of the cases above: the
/// gate refuses those as mistakes.
std::string shipped_policy() {
  std::string const text = store::read_file(PERFCHECK_CONFIG);
  std::istringstream lines(text.substr(0, text.find("\n[suites.")));
  std::string policy;
  bool renames = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) renames = line.starts_with("[renamed]");
    std::string const pattern = renames && line.starts_with('"') ? line.substr(1, line.find('"', 1) - 1) : "";
    bool const concerns =
        std::ranges::any_of(kCases, [&](auto const& id) { return gate::glob_matches_case(pattern, std::string(id)); });
    if (pattern.empty() || concerns) policy += line + "\n";
  }
  return policy;
}

World make_world() {
  World made{.baseline = recorded(std::string(kCard) + "baseline.run.json"),
             .head = checked(recorded(std::string(kCard) + "block-01.run.json")),
             .later = checked(recorded(std::string(kCard) + "block-03.run.json")),
             .other_card = checked(recorded(std::string(kOtherCard) + "block-01.run.json")),
             .other_baseline = recorded(std::string(kOtherCard) + "baseline.run.json"),
             .third_card = checked(recorded(std::string(kThirdCard) + "block-01.run.json")),
             .third_baseline = recorded(std::string(kThirdCard) + "baseline.run.json"),
             .fourth_baseline = recorded(std::string(kFourthCard) + "baseline.run.json"),
             .config = shipped_policy() + kSuites,
             .stored = {}};
  made.stored = model::baseline_to_text(
      store::accept(std::nullopt, {made.baseline}, {.who = "Ada", .when = "2026-11-21T21:00:00Z", .why = "recorded"}));
  return made;
}

}  // namespace

World const& world() {
  static World const made = make_world();
  return made;
}

model::Run slowed(double factor, std::string const& pattern) {
  model::Run run = world().head;
  slow(run, pattern, factor);
  return run;
}

Desk::Desk() {
  write("perfcheck.toml", world().config);
  write_baseline(world().stored);
}

std::string Desk::baseline_name() const {
  return fmt::format("baselines/{}/gemm.json", world().baseline.sessions.front().device.slug);
}

void Desk::write_baseline(std::string const& text) const { write(baseline_name(), text); }

void Desk::remove_baseline() const { std::filesystem::remove(file(baseline_name())); }

void Desk::edit_baseline(std::function<void(nlohmann::json&)> const& edit, Digest digest) const {
  nlohmann::json stored = nlohmann::json::parse(read(file(baseline_name())));
  edit(stored);
  if (digest == Digest::renewed) {
    stored["digest"] = model::baseline_digest(stored);
  } else if (digest == Digest::taken) {
    stored.erase("digest");
  }
  write_baseline(stored.dump(1));
}

void Desk::edit_config(std::string const& what, std::string const& by) const {
  std::string text = read(file("perfcheck.toml"));
  std::size_t const at = text.find(what);
  if (at == std::string::npos) {
    throw std::runtime_error("perfcheck.toml does not hold " + what);
  }
  write("perfcheck.toml", text.replace(at, what.size(), by));
}

Answer Desk::compare_text(std::string const& now, std::string const& edited,
                          std::vector<std::string> const& more) const {
  write("now.json", now);
  std::vector<std::string> args{"compare", "now.json", "--json"};
  args.insert(args.end(), more.begin(), more.end());
  return answer_of(perfcheck(args), edited, folder_.string());
}

Answer Desk::compare(model::Run const& now, std::string const& edited, std::vector<std::string> const& more) const {
  return compare_text(model::run_to_text(now), edited, more);
}

Answer Desk::compare_runs(model::Run const& base, model::Run const& now, std::string const& edited) const {
  store::write_run(file("base.json"), base);
  store::write_run(file("now.json"), now);
  return answer_of(perfcheck({"compare", "base.json", "now.json", "--json"}), edited, folder_.string());
}

Answer Desk::merge(std::vector<model::Run> const& shards, std::string const& edited) const {
  int number = 0;
  for (model::Run const& shard : shards) {
    write(fmt::format("shards/{}.run.json", ++number), model::run_to_text(shard));
  }
  return answer_of(perfcheck({"merge", "shards", "--json"}), edited, folder_.string());
}

Answer Desk::accept(std::vector<model::Run> const& runs, std::vector<std::string> const& more) const {
  std::vector<std::string> args{"baseline", "accept", "--who", "Ada", "--why", "recorded"};
  args.insert(args.end(), more.begin(), more.end());
  int number = 0;
  for (model::Run const& run : runs) {
    args.push_back(fmt::format("accepted-{}.json", ++number));
    write(args.back(), model::run_to_text(run));
  }
  return plain_answer(perfcheck(args), "accepted", folder_.string());
}

Answer Desk::accept_and_compare(std::vector<model::Run> const& runs, model::Run const& now,
                                std::vector<std::string> const& more) const {
  remove_baseline();
  Answer const accepted = accept(runs, more);
  return accepted.code == 0 ? after("accepted", compare(now)) : accepted;
}

Answer Desk::creep(std::vector<model::Run> const& runs, std::vector<std::string> const& more) const {
  {
    history::History history(file("h.sqlite").string(), history::Mode::write);
    for (model::Run const& run : runs) {
      history.add(run, std::nullopt);
    }
  }
  std::vector<std::string> args{"history", "creep", "--history", "h.sqlite", "--json"};
  args.insert(args.end(), more.begin(), more.end());
  Finished const finished = perfcheck(args);
  Answer answer = plain_answer(finished, "", folder_.string());
  if (!finished.out.empty()) {
    nlohmann::json const result = finished.json();
    for (nlohmann::json const& one : result.at("devices").at(0).at("cases")) {
      std::string const id = one.at("id"), status = one.at("status"), reason = one.value("reason", "");
      if (id == todays_id(kCase)) {
        answer.said = fmt::format("history creep: {}{}", status, reason.empty() ? "" : " (" + reason + ")");
      } else if (status == "drifted" || status == "creeping") {
        answer.accused.push_back(id);
      }
    }
  }
  return answer;
}

Answer Desk::upgrade() const {
  return plain_answer(perfcheck({"baseline", "upgrade", baseline_name()}), "upgraded", folder_.string());
}

}  // namespace perfcheck::adversarial
