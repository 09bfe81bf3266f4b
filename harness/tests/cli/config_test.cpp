// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/config/config.h"

#include "perfcheck/store/store.h"

#include <gmock/gmock.h>

namespace perfcheck::config {
namespace {

using ::testing::HasSubstr;

Config parse(std::string const& text) { return parse_config(text, "dir/perfcheck.toml"); }

std::string error_of(std::string const& text) {
  try {
    (void)parse(text);
  } catch (ConfigError const& error) {
    return error.what();
  }
  return "no error";
}

TEST(Config, ASharedDeviceAllowsForSlowRoundsUnlessToldOtherwise) {
  Config const config = parse("[policy]\ntail_margin = 0.1\n[policy.cpu]\nshared_device = true\n");
  EXPECT_EQ(config.backend("cuda").policy.tail_margin, 0.1);
  EXPECT_EQ(config.backend("cpu").policy.tail_margin, 0.5);
  EXPECT_EQ(config.backend("cpu").policy.tail_rate, 0.04);
  EXPECT_EQ(parse("[policy.cpu]\nshared_device = true\ntail_margin = 0.2\n").backend("cpu").policy.tail_margin, 0.2);
}

TEST(Config, TheProjectsOwnFileIsValid) {
  Config const config = parse_config(store::read_file(PERFCHECK_CONFIG), PERFCHECK_CONFIG);
  for (char const* backend : {"cpu", "cuda"}) {
    for (char const* suite : {"smoke", "default", "full"}) {
      EXPECT_FALSE(config.suite(suite, backend).problems.empty());
      EXPECT_FALSE(config.suite(suite, backend).description.empty());
    }
  }
  EXPECT_EQ(config.suite("default", "cuda").problems.size(), 19U);
  for (char const* backend : {"cpu", "cuda"}) {
    EXPECT_TRUE(config.backend(backend).policy.demoted.empty()) << "by default, undecided cases must fail the check";
  }
}

TEST(Config, AnEmptyFileHasDefaults) {
  Config const config = parse("");
  EXPECT_EQ(config.baselines, "dir/baselines");
  EXPECT_EQ(config.backend("cuda").policy.margin, gate::Policy().margin);
  EXPECT_TRUE(config.suites.empty());
}

TEST(Config, WorkersAreThoseThatAreShippedUnlessToldOtherwise) {
  Config const config = parse("[workers]\ncpu = \"build/mine --flag\"\n");
  EXPECT_EQ(config.workers.at("cpu"), "build/mine --flag");
  EXPECT_EQ(config.workers.at("cuda"), "perfcheck-gemm");
  EXPECT_EQ(parse("").workers.at("cpu"), "perfcheck-gemm-cpu");
}

TEST(Config, BackendsOverrideTheCommonPart) {
  Config const config = parse(R"(
[policy]
margin = 0.02
alpha = 0.01
[policy.cpu]
margin = 0.1
demote = ["inconclusive"]
[measure]
min_rounds = 20
[measure.cuda]
replay_ms = 3
)");
  EXPECT_EQ(config.backend("cuda").policy.margin, 0.02);
  EXPECT_EQ(config.backend("cpu").policy.margin, 0.1);
  EXPECT_EQ(config.backend("cpu").policy.alpha, 0.01);
  EXPECT_THAT(config.backend("cpu").policy.demoted, ::testing::ElementsAre(model::Verdict::inconclusive));
  EXPECT_TRUE(config.backend("cuda").policy.demoted.empty());
  EXPECT_EQ(config.backend("cpu").measure.options.min_rounds, 20);
  EXPECT_EQ(config.backend("cuda").measure.options.replay_ms, 3);
}

TEST(Config, FitnessOfABackendStandsOverTheCommonOne) {
  Config const config =
      parse("[fitness]\nretry_s = 5\n[fitness.cuda]\ndriver = \"580.*\"\nthrottle = [\"sync boost\"]\n");
  EXPECT_EQ(config.backend("cpu").fitness.retry_s, 5);
  EXPECT_EQ(config.backend("cpu").fitness.driver, "");
  EXPECT_EQ(config.backend("cuda").fitness.retry_s, 5);
  EXPECT_EQ(config.backend("cuda").fitness.driver, "580.*");
  EXPECT_THAT(config.backend("cuda").fitness.throttle, ::testing::ElementsAre("sync boost"));
}

TEST(Config, SealedTimingIsForTheBackendThatAsksForIt) {
  Config const config = parse("[measure]\njudge = \"bin/judge\"\n[measure.cuda]\nsealed = \"changed\"\n");
  EXPECT_EQ(config.backend("cpu").measure.sealed, Sealed::never);
  EXPECT_EQ(config.backend("cuda").measure.sealed, Sealed::changed);
  EXPECT_EQ(config.backend("cuda").measure.judge, "dir/bin/judge")
      << "the judge's path is relative to the configuration file";
  EXPECT_EQ(parse("").backend("cuda").measure.judge, "");
  for (std::string const& text : sealed_texts()) {
    EXPECT_EQ(to_text(*sealed_from_text(text)), text);
  }
  EXPECT_EQ(sealed_from_text("sometimes"), std::nullopt);
}

TEST(Config, TextsAndCommentsMayHoldAnyCharacter) {
  Config const config =
      parse("# é\n[suites.s.cpu] # Ω\ndescription = \"größer\"\nproblems = ['π', \"\"\"\n\\\"τ\"\"\"]\n");
  EXPECT_EQ(config.suite("s", "cpu").description, "größer");
}

TEST(Config, MarginsKeepTheOrderOfTheFile) {
  Config const config = parse("[policy.margins]\n\"z*\" = 0.1\n\"a*\" = 0.2\n");
  EXPECT_THAT(config.backend("cpu").policy.margins, ::testing::ElementsAre(std::pair<std::string, double>("z*", 0.1),
                                                                           std::pair<std::string, double>("a*", 0.2)));
}

TEST(Config, SuitesSayWhichKernelsTakePart) {
  Config const config = parse(
      "[suites.s.cpu]\nproblems = [\"p\"]\nkernels = [\"*\", \"!a/*\", \"a/b\"]\n"
      "[suites.t.cpu]\nproblems = [\"p\"]\nkernels = \"a\"\n"
      "[suites.u.cpu]\nproblems = [\"p\"]\n");
  EXPECT_THAT(config.suite("s", "cpu").kernels, ::testing::ElementsAre("*", "!a/*", "a/b"));
  EXPECT_THAT(config.suite("t", "cpu").kernels, ::testing::ElementsAre("a"));
  EXPECT_THAT(config.suite("u", "cpu").kernels, ::testing::IsEmpty());
}

TEST(Config, SuitesHoldProblemsNamesAndRules) {
  Config const config = parse(R"(
[suites.s.cuda]
types = ["f32"]
problems = ["{types},nn,m1n1k1", {name = "named", problem = "f32,nn,m2n2k2"}]
rules = [{kernels = "a*", max_gflop = 2, reason = "slow"}, {kernels = ["b", "c*"], max_gflop = 3, reason = "slower"}]
)");
  Suite const& suite = config.suite("s", "cuda");
  EXPECT_EQ(suite.problems[1].name, "named");
  EXPECT_EQ(suite.rules[0].max_gflop, 2);
  EXPECT_THAT(suite.rules[0].kernels, ::testing::ElementsAre("a*"));
  EXPECT_THAT(suite.rules[1].kernels, ::testing::ElementsAre("b", "c*"));
  EXPECT_THROW((void)config.suite("s", "cpu"), ConfigError);
}

struct Bad {
  char const* text;
  char const* error;
};

TEST(Config, KeysOfManyPartsAreRefusedInsteadOfCrashing) {
  std::string parts = "a";
  for (int i = 0; i < 200000; ++i) {
    parts += ".a";
  }
  EXPECT_THAT(error_of("\n" + parts + " = 1"), HasSubstr("dir/perfcheck.toml:2: more than 200 dots"));
  EXPECT_THAT(error_of("[" + parts + "]"), HasSubstr("dir/perfcheck.toml:1: more than 200 dots"));
  EXPECT_THAT(error_of(parts.substr(0, 401) + " = 1"), HasSubstr("a: is not a known key"));
  std::string nested;
  for (int i = 0; i < 20; ++i) {
    nested += parts.substr(0, 401) + " = [\n{";
  }
  EXPECT_THAT(error_of(nested), HasSubstr("exceeded maximum nested value depth of 16"));
}

TEST(Config, LettersOutsideOfAsciiStandInTexts) {
  Config const config = parse("[suites.s.cpu]\ndescription = \"\"\"a \\ \n  \xc3\xa9\"\"\"\nproblems = [\"p\"]");
  EXPECT_EQ(config.suites.at(0).description, "a \xc3\xa9");
  Config const escaped = parse("[suites.s.cpu]\ndescription = \"a\\\\\xc3\xa9\"\nproblems = [\"p\"]");
  EXPECT_EQ(escaped.suites.at(0).description, "a\\\xc3\xa9");
}

TEST(Config, APartOfAKeyMayStandInQuotes) {
  Config const config = parse("[suites.\"\xc3\xa9\".cpu]\nproblems = [\"p\"]");
  EXPECT_EQ(config.suites.at(0).name, "\xc3\xa9");
}

class BadConfig : public ::testing::TestWithParam<Bad> {};

TEST_P(BadConfig, IsAnErrorThatNamesFileLineAndKey) {
  std::string const error = error_of(GetParam().text);
  EXPECT_THAT(error, HasSubstr(GetParam().error));
  EXPECT_THAT(error, HasSubstr("dir/perfcheck.toml:"));
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadConfig,
    ::testing::Values(
        Bad{"[policy]\n\nmargn = 1", "toml:3: policy.margn: is not a known key; did you mean margin?"},
        Bad{"[workers]\ngpu = \"x\"", ":2: workers.gpu: is not a known key; did you mean cpu?"},
        Bad{"[workers]\ncpu = \" \"", ":2: workers.cpu: is empty; name a program, by its path or as it is called"},
        Bad{"[workers]\ncpu = 1", ":2: workers.cpu: must be a text"},
        Bad{"[polcy]", ":1: polcy: is not a known key; did you mean policy?"},
        Bad{"[policy]\nmargin = 0.1\nmargin = 0.2", ":3:"},
        Bad{"[policy]\nmargin = \"1\"", ":2: policy.margin: must be a number, not a text"},
        Bad{"[policy]\nmargin = nan", "policy.margin: is nan"},
        Bad{"[policy]\nmargin\xc3\xa9 = 1", ":2: Error while parsing key-value pair: expected '=', saw '\xc3\xa9'"},
        Bad{"a = \"\xc3\xa9\"\n\xce\xa4", ":2: Error while parsing root table"},
        Bad{"a = '''\n\xce\xa4''' # \xce\xa4\n\xc2\xa0", ":3: Error while parsing root table"},
        Bad{"a = \"\\\"\" \xce\xa4", ":1: Error while parsing key-value pair: expected a comment"},
        Bad{"a = \"\"\"\\\xc3\xa9\"\"\"", ":1: Error while parsing string: unknown escape sequence"},
        Bad{"a = \"\"\"\\ \xc3\xa9\"\"\"", ":1: Error while parsing string"},
        Bad{"a = 4\"\"\"\xce\xa4\"\"\"", ":1: Error while parsing decimal integer"},
        Bad{"a = 4p1=\"\xef\xbb\xbb", ":1: Error while parsing"},
        Bad{"[policy]\nalpha = f\nmargin = 1", ":2: Error while parsing boolean"},
        Bad{"[!a]", "a name or a quote is expected behind every '['"},
        Bad{"[\x01policy]", "a name or a quote is expected behind every '['"},
        Bad{"[fitness]\nretrys = 1", ":2: fitness.retrys: is not a known key; did you mean retry_s?"},
        Bad{"[fitness.cuda]\nmax_other_processes = -1", "fitness.cuda.max_other_processes"},
        Bad{"[policy]\nmargin = 0", "policy.margin: is 0, but must be above 0"},
        Bad{"[policy]\nmargin = -0.1", "but must be above 0"}, Bad{"[policy]\nalpha = 0.7", "at most 0.5"},
        Bad{"[policy]\nconfirm_sessions = 2.5", "must be a whole number"},
        Bad{"[policy]\nmin_baseline_sessions = 1", "at least 2"},
        Bad{"[policy]\nshared_device = 1", "must be true or false"},
        Bad{"[policy]\nreference_tolerance = 0", "reference_tolerance"},
        Bad{"[policy]\ndemote = [\"regressed\"]", "policy.demote[0]: \"regressed\" cannot be demoted"},
        Bad{"[policy]\ndemote = \"inconclusive\"", "must be an array"}, Bad{"[policy]\nmargins = 3", "must be a table"},
        Bad{"[policy.gpu]\nmargin = 0.1", "policy.gpu: is not a known key; did you mean cpu?"},
        Bad{"[policy.cpu.margins]\n\"a\" = 5", "policy.cpu.margins.a: is 5"},
        Bad{"[measure]\nmin_rounds = 10\nmax_rounds = 5", "less than min_rounds"},
        Bad{"[measure.cuda]\nreplay_ms = 0", "must be above 0"},
        Bad{"[measure]\nsealed = \"sometimes\"",
            ":2: measure.sealed: is \"sometimes\", but must be one of never, new, changed, always"},
        Bad{"[paths]\nbaselines = \"\"", "paths.baselines: is empty"},
        Bad{"[suites.s.cpu]\ntypes = [\"f32\"]", "suites.s.cpu.problems: is missing or empty"},
        Bad{"[suites.s.cpu]\nproblems = []", "problems: is missing or empty"},
        Bad{"[suites.s.cpu]\nproblems = [3]", "problems[0]: must be a text in quotes, not a whole number"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\", \"a\"]", "problems[1]: \"a\" is listed twice"},
        Bad{"[suites.s.cpu]\nproblems = [\"{types},a\"]", "uses {types}, but the suite has no types"},
        Bad{"[suites.s.cpu]\nproblems = [{nam = \"x\", problem = \"a\"}]", "name: is missing"},
        Bad{"[suites.s.cpu]\nproblems = [{name = \"x\", problem = \"a\", extra = 1}]", "extra: is not a known key"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\"]\nrules = [{kernels = \"a\", max_gflop = 1}]", "reason: is missing"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\"]\nrules = [{kernels = [], max_gflop = 1, reason = \"r\"}]",
            "rules[0].kernels: is empty"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\"]\nrules = [{kernels = [\"a\", 3], max_gflop = 1, reason = \"r\"}]",
            "kernels[1]: must be a text"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\"]\nkernels = []", ":3: suites.s.cpu.kernels: is empty"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\"]\nkernels = [\"!a\"]",
            ":3: suites.s.cpu.kernels: begins by leaving out"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\"]\nkernels = [\"*\", \"!\"]", "has a \"!\" without a pattern"},
        Bad{"[suites.s.rocm]\nproblems = [\"a\"]", "suites.s.rocm: is not a known key"},
        Bad{"\"a\\nb\" = 3", ":1: a b: is not a known key"},
        Bad{"[suites.s.cpu]\nproblems = [\"a\\nb\", \"a\\nb\"]", "problems[1]: \"a b\" is listed twice"},
        Bad{"[suites]\ns = 3", "suites.s: must be a table"}, Bad{"margin = = 3", ":1:"}, Bad{"[policy", ":1:"}));

}  // namespace
}  // namespace perfcheck::config
