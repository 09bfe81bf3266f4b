// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck audit end to end: the real program with a scripted worker and a scripted judge.
#include "perfcheck/auditing/audit.h"
#include "judged_program.h"
#include "perfcheck/session/child_process.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>

namespace perfcheck::cli::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class Audit : public JudgedTest {
 protected:
  std::map<std::string, std::string> findings(Finished const& finished) const {
    std::map<std::string, std::string> by_id;
    nlohmann::json const document = finished.json();
    for (auto const& entry : document.at("cases")) {
      by_id[entry.at("ordinary").at("id")] = entry.at("finding");
    }
    return by_id;
  }
  /// Expects all cases but this one to agree, and the report to say why this one does not.
  void expect_only(std::string const& id, std::string const& finding, std::string const& why) const {
    Finished const finished = with_worker("audit", {"--json"});
    EXPECT_EQ(finished.code, 2) << finished.err;
    EXPECT_EQ(finished.json().at("exit_code"), 2);
    for (auto const& [found, what] : findings(finished)) {
      EXPECT_EQ(what, found == id ? finding : "agrees") << found;
    }
    EXPECT_THAT(with_worker("audit").out, HasSubstr(why));
  }
};

TEST_F(Audit, TimesThatTheJudgeSupportsAgree) {
  Finished const finished = with_worker("audit", {"--json"});
  EXPECT_EQ(finished.code, 0) << finished.err << finished.out;
  EXPECT_THAT(findings(finished), AllOf(Each(Pair(::testing::_, "agrees")), ::testing::SizeIs(3)));
  EXPECT_THAT(judged(), UnorderedElementsAre(kCaseA, kCaseB, kCaseReference));
}

TEST_F(Audit, TheReportShowsWhatStandsBehindEachTime) {
  Finished const finished = with_worker("audit");
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              AllOf(HasSubstr("perfcheck-scripted-worker on Scripted Device, judged by ./worker-judge\n"),
                    HasSubstr(std::string(kCaseA) + ": agrees\n  ordinary   2"), HasSubstr(" of its reference; "),
                    HasSubstr("40 of 40 replays compared, 960 outputs\n  sealed     2"),
                    HasSubstr("4096 outputs verified; at most 850.0 ns of a launch could be hidden"),
                    HasSubstr("\nconfinement of the kernels: another user (65534)\n"
                              "  missing: its own network: not permitted\n\n3 agree, 0 with an objection")));
  EXPECT_EQ(finished.out.find("confinement"), finished.out.rfind("confinement"))
      << "the confinement must be reported once, not for each case";
  EXPECT_THAT(finished.out, ::testing::EndsWith("exit code 0\n"));
  EXPECT_THAT(finished.err, AllOf(HasSubstr("ordinary: 3 cases"), HasSubstr("sealed: 3 cases")));
  EXPECT_THAT(with_worker("audit", {"--quiet"}).out, AllOf(Not(HasSubstr("fake/")), HasSubstr("3 agree")));
}

TEST_F(Audit, ATimeThatTheJudgeDoesNotFindIsAnObjection) {
  say(honest(kCaseA, 4));
  expect_only(kCaseA, "objection", "what the worker measured is not what the kernel takes");
  EXPECT_THAT(with_worker("audit", {"--quiet"}).out,
              AllOf(HasSubstr(kCaseA), Not(HasSubstr(kCaseB)), HasSubstr("2 agree, 1 with an objection")));
}

TEST_F(Audit, AShorterTimeIsNone) {
  say(honest(kCaseA, 0.5));
  EXPECT_EQ(with_worker("audit").code, 0);
}

TEST_F(Audit, WhatTheJudgeFindsWrongIsAnObjection) {
  for (auto const status : {model::SealedStatus::incorrect, model::SealedStatus::invalid, model::SealedStatus::failed,
                            model::SealedStatus::refused}) {
    model::SealedResult result;
    result.id = kCaseB;
    result.status = status;
    result.message = "so the judge says";
    say(result);
    expect_only(kCaseB, "objection", "so the judge says");
  }
}

struct Misdeed {
  char const* name;
  char const* script;  ///< what the judge runs in place of printing the line for fake/b
  char const* why;
};

class Judge : public Audit, public ::testing::WithParamInterface<Misdeed> {};

TEST_P(Judge, ThatMisbehavesCostsOneCase) {
  write("perfcheck.toml", read(file("perfcheck.toml")) + "[measure]\ncase_timeout_s = 2\n");
  make_judge(std::string("case $4 in fake/b*) ") + GetParam().script +
             ";; *) cat \"$here/lines/$(printf %s \"${4%%@*}\" | tr / _)\";; esac");
  expect_only(kCaseB, "objection", GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    Misdeeds, Judge,
    ::testing::Values(Misdeed{"exits", "echo no memory >&2; exit 3", "died: exit code 3; last words: no memory"},
                      Misdeed{"crashes", "kill -ABRT $$", "died: killed by signal 6"},
                      Misdeed{"hangs", "sleep 1000", "exceeded its time limit of 2 s and was killed"},
                      Misdeed{"is_silent", "exit 0", "printed no line"},
                      Misdeed{"prints_rubbish", "echo rubbish", "printed what it should not"},
                      Misdeed{"answers_for_another", "cat \"$here/lines/fake_a\"", "answered about another case"},
                      Misdeed{"says_it_twice", "cat \"$here/lines/fake_b\" \"$here/lines/fake_b\"",
                              "more than one line"}),
    [](auto const& test) { return std::string(test.param.name); });

TEST_F(Audit, ACaseWithoutATimeIsNotJudged) {
  make_worker("--fault 'result:fake/a@*=incorrect'");
  expect_only(kCaseA, "no_time", "no time, incorrect: ");
  EXPECT_FALSE(judged().contains(kCaseA));
}

TEST_F(Audit, AnUnfitMachineIsUndecided) {
  make_worker(R"(--fault 'result:fake/a@*=patch:[{"op":"add","path":"/result/state","value":)"
              R"({"throttle_reasons":[],"other_processes":1,"processes":["pid 8123"]}}]')");
  Finished const finished = with_worker("audit", {"--retry-budget", "0", "--json"});
  EXPECT_EQ(finished.code, 3) << finished.err;
  EXPECT_EQ(findings(finished).at(kCaseA), "unfit");
  EXPECT_FALSE(judged().contains(kCaseA));
  EXPECT_THAT(with_worker("audit", {"--retry-budget", "0"}).out, HasSubstr("the machine was not fit: busy: pid 8123"));
}

TEST_F(Audit, SkippedCasesAreLeftOutAndListedOnRequest) {
  make_worker("--refuse 'fake/b@*=too small'");
  Finished const finished = with_worker("audit", {"--verbose"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_THAT(finished.out, AllOf(HasSubstr(std::string(kCaseB) + ": skipped: too small"), HasSubstr("2 agree")));
  EXPECT_THAT(with_worker("audit").out, Not(HasSubstr(kCaseB)));
  EXPECT_FALSE(judged().contains(kCaseB));
  EXPECT_EQ(with_worker("audit", {"--filter", "fake/b"}).code, 2) << "nothing was audited";
}

TEST_F(Audit, TellsTheJudgeWhatToTime) {
  make_judge("exit 1");
  EXPECT_EQ(with_worker("audit", {"--filter", kCaseA, "--batches", "7"}).code, 2);
  EXPECT_EQ(read(file("called")), "--program ./worker --case " + std::string(kCaseA) + " --device 0 --batches 7\n");
}

TEST_F(Audit, TheJudgeMayBeNamed) {
  std::filesystem::create_directory(file("bin"));
  std::filesystem::rename(file("worker-judge"), file("bin/other-judge"));
  EXPECT_EQ(with_worker("audit", {"--judge", "bin/other-judge"}).code, 0);
  std::string const config = read(file("perfcheck.toml"));
  write("sub/perfcheck.toml", config + "[measure.cuda]\njudge = \"../bin/other-judge\"\n");
  Finished const configured = with_worker("audit", {"--config", "sub/perfcheck.toml"});
  EXPECT_EQ(configured.code, 0) << configured.err << "; the judge's path is relative to the configuration file";
}

TEST_F(Audit, AMissingJudgeIsNamedBeforeAnythingIsMeasured) {
  std::filesystem::remove(file("worker-judge"));
  Finished const finished = with_worker("audit");
  EXPECT_EQ(finished.code, 2);
  EXPECT_THAT(finished.err, AllOf(HasSubstr("./worker-judge: there is no such judge"),
                                  HasSubstr("name one with --judge"), Not(HasSubstr("ordinary"))));
  EXPECT_THAT(finished.out, IsEmpty());
}

TEST_F(Audit, AWorkerThatCannotBeSealedIsAUsageError) {
  Finished const cpu = perfcheck({"audit", "--worker", worker()});
  EXPECT_EQ(cpu.code, 64);
  EXPECT_THAT(cpu.err, AllOf(HasSubstr("sealed timing needs a worker with a GPU"), HasSubstr("of the backend cpu")));
  Finished const with_arguments = perfcheck({"audit", "--worker", worker("--backend cuda")});
  EXPECT_EQ(with_arguments.code, 64);
  EXPECT_THAT(with_arguments.err, HasSubstr("starts the worker's program alone, without arguments"));
}

TEST_F(Audit, InterruptedEndsTheJudge) {
  make_judge("echo $$ > \"$here/pid\"; exec sleep 1000");
  session::ChildProcess process(
      {PERFCHECK_PROGRAM, "audit", "--config", file("perfcheck.toml").string(), "--worker", file("worker").string()});
  session::Deadline const deadline = session::deadline_after(30);
  std::string line;
  while (read(file("pid")).find('\n') == std::string::npos && std::chrono::steady_clock::now() < deadline) {
    (void)process.read_line(line, session::deadline_after(0.02));
  }
  pid_t const judge = std::stoi(read(file("pid")));
  ASSERT_EQ(::kill(process.pid(), SIGINT), 0);
  session::ExitState const state = process.wait_or_kill(deadline);
  EXPECT_FALSE(state.signalled);
  EXPECT_EQ(state.code, 130);
  EXPECT_NE(::kill(judge, 0), 0) << "the judge is still there";
}

TEST_F(Audit, HelpTeaches) {
  EXPECT_THAT(perfcheck({"audit", "--help"}).out,
              AllOf(HasSubstr("examples:"), HasSubstr("exit codes:"), HasSubstr("docs/sealed.md")));
}

/// Checks a document against its schema: only known keys, all required keys, only listed enum values.
class SchemaWalk {
 public:
  void check(json const& value, json const& schema, std::string const& file, std::string const& place) {
    if (schema.contains("$ref")) {
      auto const& [in, found] = resolve(schema.at("$ref"), file);
      check(value, found, in, place);
      return;
    }
    ++visited_;
    if (schema.contains("const")) {
      EXPECT_EQ(value, schema.at("const")) << place;
    }
    if (schema.contains("enum")) {
      EXPECT_THAT(schema.at("enum"), ::testing::Contains(value)) << place;
    }
    for (json const& key : schema.value("required", json::array())) {
      EXPECT_TRUE(value.contains(key.get<std::string>())) << place << " lacks " << key;
    }
    if (value.is_object() && schema.contains("properties")) {
      for (auto const& item : value.items()) {
        ASSERT_TRUE(schema.at("properties").contains(item.key())) << place << " must not have " << item.key();
        check(item.value(), schema.at("properties").at(item.key()), file, place + "." + item.key());
      }
    }
    if (value.is_array() && schema.contains("items")) {
      for (json const& element : value) {
        check(element, schema.at("items"), file, place + "[]");
      }
    }
  }
  int visited() const { return visited_; }

  static json load(std::string const& name) {
    std::ifstream stream(std::string(PERFCHECK_SCHEMA_DIR) + "/" + name);
    return json::parse(stream);
  }

 private:
  static std::pair<std::string, json> resolve(std::string const& reference, std::string const& file) {
    std::size_t const hash = std::min(reference.find('#'), reference.size());
    std::string const in = hash == 0 ? file : reference.substr(0, hash);
    json const document = load(in);
    return {in, hash == reference.size() ? document : document.at(json::json_pointer(reference.substr(hash + 1)))};
  }

  int visited_ = 0;
};

TEST_F(Audit, TheDocumentIsWhatItsSchemaSays) {
  say(honest(kCaseA, 4));
  make_worker("--fault 'result:fake/b@*=failed'");
  json const document = with_worker("audit", {"--json"}).json();
  json const schema = SchemaWalk::load("audit.schema.json");
  SchemaWalk walk;
  walk.check(document, schema, "audit.schema.json", "");
  EXPECT_GT(walk.visited(), 100);
  std::set<std::string> seen;
  for (json const& entry : document.at("cases")) {
    seen.insert(entry.at("finding"));
    EXPECT_EQ(entry.contains("objection"), entry.at("finding") == "objection");
    EXPECT_EQ(entry.contains("sealed"), entry.at("finding") != "no_time");
  }
  EXPECT_THAT(seen, UnorderedElementsAre("agrees", "objection", "no_time"));
  EXPECT_EQ(schema["$defs"]["case"]["properties"]["finding"]["enum"], auditing::finding_texts());
}

}  // namespace
}  // namespace perfcheck::cli::testing
