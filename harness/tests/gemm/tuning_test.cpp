// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How kernels with a tuning space find their point. CMake made the table from this folder's tuned.json.
#include <perfcheck/gemm_tuning.h>

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck {
namespace {

constexpr TunedProblem kTable[] = {
    {"device-a", "f32,nn,m1024n1024k1024", "set/a:large set/b"}, {"device-a", "f32,nn,m64n64k64", "set/b set/a:small"},
    {"device-a", "f32,nt,m64n64k64", "set/a:transposed set/b"},  {"device-a", "f16.f32,nn,m64n64k64", "set/half:x"},
    {"device-a", "f32,nn,m256n256k256", "set/a:medium set/b"},   {"device-b", "f32,nn,m64n64k64", "set/c set/a:other"},
};

std::string point(char const* device, char const* problem, char const* kernel = "set/a") {
  return std::string(tuned_point(kTable, device, parse_gemm_problem(problem), kernel));
}

TEST(TunedPoint, IsThatOfTheNearestMeasuredProblem) {
  EXPECT_EQ(point("device-a", "f32,nn,m1024n1024k1024"), "large");
  EXPECT_EQ(point("device-a", "f32,nn,m8192n8192k8192"), "large");
  EXPECT_EQ(point("device-a", "f32,nn,m100n50k70"), "small");
  EXPECT_EQ(point("device-a", "f32,nn,m64n64k64,lda68,alpha2,beta0.5,hot"), "small");
}

TEST(TunedPoint, OfTheSameLayoutComesBeforeOneOfTheSameSize) {
  EXPECT_EQ(point("device-a", "f32,nt,m64n64k64"), "transposed");
  EXPECT_EQ(point("device-a", "f32,nt,m1024n1024k1024"), "large")
      << "a distance of twelve octaves must outweigh another layout";
  EXPECT_EQ(point("device-a", "f32,nt,m256n256k256"), "medium") << "and so must one of twice the size";
  EXPECT_EQ(point("device-a", "f32,nt,m150n150k150"), "medium");
  EXPECT_EQ(point("device-a", "f32,nt,m90n90k90"), "transposed");
}

TEST(TunedPoint, IsThatOfAsManyRowsInTilesOfSixteen) {
  constexpr TunedProblem table[] = {{"device-a", "f16.f32,nn,m16n512k512", "set/a:16-rows"},
                                    {"device-a", "f16.f32,nn,m32n512k512", "set/a:32-rows"},
                                    {"device-a", "f16.f32,nn,m64n512k512", "set/a:64-rows"}};
  auto const chosen = [&](int rows) {
    GemmProblem problem = parse_gemm_problem("f16.f32,nn,m1n512k512");
    problem.m = rows;
    return std::string(tuned_point(table, "device-a", problem, "set/a"));
  };
  for (int const rows : {1, 5, 15, 16}) EXPECT_EQ(chosen(rows), "16-rows") << rows;
  for (int const rows : {17, 20, 31, 32}) EXPECT_EQ(chosen(rows), "32-rows") << rows;
  for (int const rows : {33, 47, 48, 64, 65, 1000, std::numeric_limits<int>::max()})
    EXPECT_EQ(chosen(rows), "64-rows") << rows;
}

TEST(TunedPoint, OfAnotherDeviceServesWhereThePresentOneWasNeverMeasured) {
  EXPECT_EQ(point("device-b", "f32,nn,m1024n1024k1024"), "other");
  EXPECT_EQ(point("device-c", "f32,nn,m1024n1024k1024"), "large");
  EXPECT_EQ(point("", "f32,nn,m1024n1024k1024"), "large");
}

TEST(TunedPoint, OfOtherTypesCountsForNothing) {
  EXPECT_EQ(point("device-a", "f16.f32,nn,m64n64k64"), "");
  EXPECT_EQ(point("device-a", "tf32,nn,m64n64k64"), "");
}

TEST(TunedPoint, IsEmptyForAKernelThatWasNotMeasured) {
  EXPECT_EQ(point("device-a", "f32,nn,m64n64k64", "set/d"), "");
  EXPECT_EQ(point("device-a", "f32,nn,m64n64k64", "set"), "") << "part of a name is not the name";
  EXPECT_EQ(point("device-a", "f32,nn,m64n64k64", "set/b"), "") << "this kernel has no tuning space";
}

// A kernel of a library, whose points are numbers in the library's answer to a problem.
constexpr TunedProblem kAnswers[] = {
    {"device-a", "f32,nn,m64n64k64", "set/b lib/best:h3", "- BLAS=13.1.0"},
    {"device-a", "f32,nn,m64n64k64,lda72", "lib/best:h4", "other=1,BLAS=13.1.0"},
    {"device-a", "f32,nn,m32n32k32", "lib/best:h5 set/b", "BLAS=12.9.0 BLAS=13.1.0"},
    {"device-a", "f32,nn,m16n16k16", "lib/best:h6"},
    {"device-b", "f32,nt,m64n64k64", "lib/best:h7", "BLAS=13.1.0"},
};
constexpr LibraryInfo kBlas{.name = "BLAS", .version = [] { return std::string("13.1.0"); }};

std::string refusal(char const* problem, char const* device = "device-a", char const* kernel = "lib/best") {
  return refuse_unknown_answer(kAnswers, device, parse_gemm_problem(problem), kernel, kBlas).value_or("");
}

TEST(PointsOfALibrary, CountForTheVeryProblemThatWasMeasured) {
  EXPECT_EQ(refusal("f32,nn,m64n64k64"), "");
  EXPECT_EQ(refusal("f32,nn,m64n64k64,alpha2,beta0.5,hot"), "") << "the library does not ask for these";
  EXPECT_EQ(refusal("f32,nn,m64n64k64,lda72"), "");
  EXPECT_EQ(refusal("f32,nt,m64n64k64", "device-b"), "");
  std::string const unknown = "perfcheck tune has not measured which of BLAS's algorithms is the fastest";
  for (char const* other : {"f32,nn,m64n64k65", "f32,nt,m64n64k64", "tf32,nn,m64n64k64", "f32,nn,m64n64k64,ldd80"}) {
    EXPECT_THAT(refusal(other), ::testing::HasSubstr(unknown)) << other;
  }
  EXPECT_THAT(refusal("f32,nn,m64n64k64", "device-b"), ::testing::HasSubstr(unknown));
  EXPECT_THAT(refusal("f32,nn,m64n64k64", "device-a", "lib/other"), ::testing::HasSubstr(unknown));
  TunedProblem const* const entry =
      measured_itself(kAnswers, "device-a", parse_gemm_problem("f32,nn,m64n64k64,lda72,beta1"), "lib/best");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(point_in(*entry, "lib/best"), "h4");
}

TEST(PointsOfALibrary, CountForTheVersionThatTheyWereMeasuredWith) {
  EXPECT_EQ(refusal("f32,nn,m32n32k32"),
            "the fastest algorithm was measured with BLAS 12.9.0, and 13.1.0 is loaded, which numbers them otherwise; "
            "run perfcheck tune again");
  EXPECT_THAT(refusal("f32,nn,m16n16k16"), ::testing::HasSubstr("BLAS of unknown version, and 13.1.0 is loaded"));
}

// Kernels to choose from, "unnamed/..."; each says that it was launched.
char const* launched_kernel = "";
template <char const* kName>
void launch_named(GemmArgs const& /*args*/) {
  launched_kernel = kName;
}
template <char const* kName>
void launch_full_named(GemmFullArgs const& /*args*/) {
  launched_kernel = kName;
}
constexpr char kQuick[] = "quick", kAligned[] = "aligned", kNewer[] = "newer", kPlain[] = "plain", kHalf[] = "half",
               kCalling[] = "calling";
Refusal rows_of_four(GemmProblem const& problem) {
  if (problem.lda % 4 != 0) return "rows must be aligned";
  return {};
}
bool runs_80(Arch const& arch) { return arch.major <= 8; }

constexpr TunedProblem kChoices[] = {
    {"device-a", "f32,nn,m64n64k64", "unnamed/calling:h1 unnamed/half unnamed/gone unnamed/newer unnamed/aligned"},
    {"device-a", "f32,nn,m1024n1024k1024", "unnamed/calling:h1"},
    {"device-a", "f16.f32,nn,m64n64k64", "unnamed/half"},
};
constexpr std::string_view kOtherwise = "unnamed/gone unnamed/quick unnamed/plain";

}  // namespace
}  // namespace perfcheck

using perfcheck::GemmTypes;
PERFCHECK_GEMM_KERNEL(quick, .arch = perfcheck::arch_at_least(9, 0),
                      .launch = perfcheck::launch_named<perfcheck::kQuick>);
PERFCHECK_GEMM_KERNEL(aligned, .accepts = perfcheck::rows_of_four,
                      .launch = perfcheck::launch_named<perfcheck::kAligned>);
PERFCHECK_GEMM_KERNEL(newer, .arch = perfcheck::arch_exactly(9, 0),
                      .launch = perfcheck::launch_named<perfcheck::kNewer>);
PERFCHECK_GEMM_KERNEL(plain, .features = perfcheck::GemmFeature::batch,
                      .launch_full = perfcheck::launch_full_named<perfcheck::kPlain>);
PERFCHECK_GEMM_KERNEL(half, .types = GemmTypes::f16, .launch = perfcheck::launch_named<perfcheck::kHalf>);
PERFCHECK_GEMM_KERNEL(calling, .library = &perfcheck::kBlas, .launch = perfcheck::launch_named<perfcheck::kCalling>);

namespace perfcheck {
namespace {

std::string chosen(char const* problem, std::string_view otherwise = kOtherwise) {
  launched_kernel = "none";
  launch_kernel(fastest_kernel(kChoices, "device-a", parse_gemm_problem(problem), otherwise, runs_80), GemmArgs{});
  return launched_kernel;
}

TEST(FastestKernel, IsTheFirstOfTheRankingThatTakesTheProblem) {
  EXPECT_EQ(chosen("f32,nn,m64n64k64"), "aligned")
      << "not the library's, not that of other types, not one that is gone or for other devices";
  EXPECT_EQ(chosen("f16.f32,nn,m64n64k64"), "half");
}

TEST(FastestKernel, IsOneOfThoseThatAreTriedOtherwiseWhereTheRankingHasNone) {
  EXPECT_EQ(chosen("f32,nn,m64n64k65"), "plain") << "rows of 65 are not aligned; quick needs a newer device";
  EXPECT_EQ(chosen("f32,nn,m1024n1024k1024"), "plain") << "only a library's kernel is ranked there";
}

TEST(FastestKernel, IsLackedWithAMessage) {
  try {
    (void)chosen("bf16.f32,nn,m64n64k64", "unnamed/half unnamed/gone");
    FAIL() << "nothing was chosen, and nothing thrown";
  } catch (std::logic_error const& error) {
    EXPECT_STREQ(error.what(),
                 "this program holds none of the kernels that are tried for bf16.f32 where nothing was "
                 "measured: unnamed/half unnamed/gone");
  }
}

TEST(LastChoice, IsMadeAnewForAnotherProblemOrDeviceAndForNothingElse) {
  static constexpr GemmKernel kKernel{};
  int chosen = 0;
  auto const choose = [&](GemmProblem const&) -> GemmKernel const& {
    ++chosen;
    return kKernel;
  };
  LastChoice last;
  auto problem = parse_gemm_problem("f32,nn,m64n64k64");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(&last.of(problem, choose), &kKernel);
  EXPECT_EQ(chosen, 1);
  problem.lda = 72;
  (void)last.of(problem, choose);
  EXPECT_EQ(chosen, 2);
  std::string const before = std::exchange(present_device(), "another");
  (void)last.of(problem, choose);
  EXPECT_EQ(chosen, 3);
  present_device() = before;
}

TEST(Ranking, IsTakenApartEntryByEntry) {
  std::string_view ranking = "set/a:1 set/b";
  EXPECT_EQ(next_ranked(ranking).point, "1");
  EXPECT_EQ(next_ranked(ranking).id, "set/b");
  EXPECT_EQ(next_ranked(ranking).id, "");
  EXPECT_EQ(next_ranked(ranking).id, "");
}

TEST(PointName, NumbersWithALetter) {
  EXPECT_EQ(std::string_view(numbered('h', 0)), "h0");
  EXPECT_EQ(std::string_view(numbered('h', 39)), "h39");
}

TEST(PointName, JoinsNumbers) {
  EXPECT_EQ(std::string_view(join_with_x({64, 128, 7})), "64x128x7");
  EXPECT_EQ(std::string_view(join_with_x({0})), "0");
}

// A kernel with a tuning space of four points, two of which are in this folder's tuned.json.
struct Width {
  int value;
};
constexpr Width kWidths[] = {{10}, {20}, {30}, {40}};
constexpr PointName point_name(Width width) { return join_with_x({width.value}); }

int launched = 0;
template <int kPoint>
void launch(GemmArgs const& /*args*/) {
  static_assert(kPoint != 3, "no problem names it, so it must not be compiled");
  launched = kWidths[kPoint].value;
}
template <int kPoint>
Refusal accepts(GemmProblem const& problem) {
  if (problem.m == 1) return "point " + std::to_string(kWidths[kPoint].value) + " refuses";
  return {};
}
template <int kPoint>
std::size_t workspace_bytes(GemmProblem const& /*problem*/) {
  return static_cast<std::size_t>(kWidths[kPoint].value);
}
template <int kPoint>
constexpr GemmKernel kKernel{.summary = "a kernel with a space",
                             .types = GemmTypes::f32,
                             .accepts = accepts<kPoint>,
                             .workspace_bytes = workspace_bytes<kPoint>,
                             .launch = launch<kPoint>};

}  // namespace
}  // namespace perfcheck

using perfcheck::kKernel;
using perfcheck::kWidths;
PERFCHECK_TUNED_GEMM_KERNEL(with_space, kWidths, kKernel);

namespace {
template <int kPoint>
constexpr perfcheck::GemmKernel kOfLibrary = [] {
  perfcheck::GemmKernel kernel = kKernel<kPoint>;
  kernel.library = &perfcheck::kBlas;
  return kernel;
}();
}  // namespace
PERFCHECK_TUNED_GEMM_KERNEL(of_library, kWidths, kOfLibrary);

namespace perfcheck {
namespace {

GemmKernel const& registered(std::string const& id = "unnamed/with_space") {
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    if (node->info().id() == id) return *static_cast<GemmKernel const*>(node->info().typed);
  }
  throw std::logic_error(id + " is not registered");
}

class TunedKernel : public ::testing::Test {
 protected:
  TunedKernel() : before_(present_device()) { present_device() = "device-a"; }
  ~TunedKernel() override { present_device() = before_; }
  static int launched_for(int size) {
    launched = 0;
    registered().launch({.m = size, .n = size, .k = size});
    return launched;
  }

 private:
  std::string before_;
};

TEST_F(TunedKernel, LaunchesThePointOfTheNearestProblem) {
  EXPECT_EQ(launched_for(64), 20);
  EXPECT_EQ(launched_for(1024), 30);
  EXPECT_EQ(launched_for(5000), 30);
}

TEST_F(TunedKernel, AnswersForThePointThatItLaunches) {
  EXPECT_EQ(registered().workspace_bytes(parse_gemm_problem("f32,nn,m1024n1024k1024")), 30U);
  EXPECT_EQ(registered().accepts(parse_gemm_problem("f32,nn,m1n1024k1024")), "point 20 refuses");
  EXPECT_FALSE(registered().accepts(parse_gemm_problem("f32,nn,m64n64k64")));
}

TEST_F(TunedKernel, TakesTheFirstPointWhereTheFastestIsNotInItsSpaceAnyMore) {
  EXPECT_EQ(launched_for(8), 10) << "tuned.json names a point there that does not exist, 99";
}

TEST_F(TunedKernel, OfALibraryLaunchesWhatWasMeasuredAndRefusesAllElse) {
  GemmKernel const& kernel = registered("unnamed/of_library");
  EXPECT_FALSE(kernel.accepts(parse_gemm_problem("f32,nn,m1024n1024k1024")));
  launched = 0;
  kernel.launch({.m = 1024, .n = 1024, .k = 1024, .lda = 1024, .ldb = 1024, .ldd = 1024});
  EXPECT_EQ(launched, 30);
  EXPECT_THAT(kernel.accepts(parse_gemm_problem("f32,nn,m1000n1024k1024")).value_or(""),
              ::testing::HasSubstr("has not measured"));
  EXPECT_THAT(kernel.accepts(parse_gemm_problem("f32,nn,m64n64k64")).value_or(""),
              ::testing::HasSubstr("was measured with BLAS 12.9.0, and 13.1.0 is loaded"));
}

TEST(TunedTable, HoldsTheProblemsAndPointsOfTheFiles) {
  ASSERT_EQ(kTunedProblems.size(), 3U);
  EXPECT_EQ(kTunedProblems[0].device, "device-a");
  EXPECT_EQ(kTunedProblems[0].problem, "f32,nn,m1024n1024k1024");
  EXPECT_EQ(kTunedProblems[0].ranking, "unnamed/of_library:30 unnamed/with_space:30 gemm/other");
  EXPECT_EQ(kTunedProblems[0].libraries, "BLAS=13.1.0,other=2 - -");
  EXPECT_EQ(kTunedProblems[1].libraries, "- - BLAS=12.9.0");
  EXPECT_EQ(std::vector<std::string_view>(kTunedPoints.begin(), kTunedPoints.end()),
            (std::vector<std::string_view>{"unnamed/of_library:20", "unnamed/of_library:30", "unnamed/with_space:20",
                                           "unnamed/with_space:30", "unnamed/with_space:99"}));
}

}  // namespace
}  // namespace perfcheck
