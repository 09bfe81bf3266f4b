// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/json.h"
#include "samples.h"
#include "temporary_folder.h"

#include <gmock/gmock.h>

namespace perfcheck::store {
namespace {

namespace fs = std::filesystem;
namespace samples = model::samples;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char const* kSlug = "nvidia-h100-80gb-hbm3";

TEST(RunFile, IsWrittenAndRead) {
  TemporaryFolder const folder;
  model::Run const run = samples::complete_run();
  write_run(folder / "run.json", run);
  EXPECT_EQ(read_file(folder / "run.json"), model::run_to_text(run));
  EXPECT_EQ(model::run_to_text(read_run(folder / "run.json")), model::run_to_text(run));
}

TEST(RunFile, ThatIsMalformedIsNamedInTheError) {
  TemporaryFolder const folder;
  write_file_atomically(folder / "run.json", "{");
  try {
    (void)read_run(folder / "run.json");
    FAIL() << "nothing was thrown";
  } catch (model::FormatError const& error) {
    EXPECT_THAT(error.what(), HasSubstr((folder / "run.json").string() + ":1:2: "));
  }
}

TEST(RunFile, ThatCannotBeWrittenLeavesTheOldOne) {
  TemporaryFolder const folder;
  write_file_atomically(folder / "run.json", "old");
  model::Run run = samples::small_run();
  run.sessions[0].cases[0].rounds->time_ns[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(write_run(folder / "run.json", run), model::FormatError);
  EXPECT_EQ(read_file(folder / "run.json"), "old");
  EXPECT_THAT(folder.names(), ElementsAre("run.json"));
}

TEST(Baseline, LiesInTheFolderOfItsDevice) {
  EXPECT_EQ(baseline_path("baselines", kSlug, "gemm"), fs::path("baselines") / kSlug / "gemm.json");
}

TEST(Baseline, CannotLieOutsideOfItsRoot) {
  for (char const* slug : {"", "..", "../x", "a/b", "A100", "a b", "."}) {
    EXPECT_THROW((void)baseline_path("root", slug, "gemm"), std::invalid_argument) << slug;
  }
  for (char const* operation : {"", "..", "../x", "a/b", "gemm.json"}) {
    EXPECT_THROW((void)baseline_path("root", kSlug, operation), std::invalid_argument) << operation;
  }
}

TEST(Baseline, ANameOfTwoLinesIsRefusedInOne) {
  auto const in_one_line = ::testing::ThrowsMessage<std::invalid_argument>(::testing::Not(::testing::HasSubstr("\n")));
  EXPECT_THAT([] { (void)baseline_path("root", "a\nb", "gemm"); }, in_one_line);
  EXPECT_THAT([] { (void)baseline_path("root", kSlug, "a\nb"); }, in_one_line);
}

TEST(Baseline, IsWrittenIntoANewFolderAndRead) {
  TemporaryFolder const folder;
  model::Baseline const baseline = samples::complete_baseline();
  write_baseline(folder / "a/b", baseline);
  EXPECT_EQ(model::baseline_to_text(read_baseline(folder / "a/b", kSlug, "gemm").value()),
            model::baseline_to_text(baseline));
}

TEST(Baseline, ThatDoesNotExistIsNone) {
  TemporaryFolder const folder;
  EXPECT_FALSE(read_baseline(folder.path(), kSlug, "gemm"));
  EXPECT_FALSE(read_baseline(folder / "absent", kSlug, "gemm"));
}

TEST(Baseline, ThatExistsAndCannotBeReadIsAnError) {
  TemporaryFolder const folder;
  fs::create_directories(folder / kSlug);
  fs::create_symlink("nowhere.json", folder / kSlug / "gemm.json");
  EXPECT_THROW((void)read_baseline(folder.path(), kSlug, "gemm"), IoError) << "a link to nothing";
  fs::remove(folder / kSlug / "gemm.json");
  fs::create_directory(folder / kSlug / "gemm.json");
  EXPECT_THROW((void)read_baseline(folder.path(), kSlug, "gemm"), IoError) << "a folder";
  fs::remove(folder / kSlug / "gemm.json");
  write_file_atomically(folder / kSlug / "gemm.json", "");
  EXPECT_THROW((void)read_baseline(folder.path(), kSlug, "gemm"), model::FormatError) << "an empty file";
}

TEST(Baseline, ThatLiesInTheWrongPlaceIsAnError) {
  TemporaryFolder const folder;
  std::string const text = model::baseline_to_text(samples::complete_baseline());
  fs::create_directories(folder / "nvidia-h200");
  write_file_atomically(folder / "nvidia-h200/gemm.json", text);
  EXPECT_THROW((void)read_baseline(folder.path(), "nvidia-h200", "gemm"), model::FormatError);
  fs::create_directories(folder / kSlug);
  write_file_atomically(folder / kSlug / "conv.json", text);
  EXPECT_THROW((void)read_baseline(folder.path(), kSlug, "conv"), model::FormatError);
}

TEST(Baseline, FolderThatCannotBeMadeIsAnError) {
  TemporaryFolder const folder;
  write_file_atomically(folder / "file", "x");
  EXPECT_THAT(io_error_of([&] { write_baseline(folder / "file", samples::complete_baseline()); }),
              AllOf(HasSubstr("cannot create the folder"), HasSubstr("file/" + std::string(kSlug))));
}

}  // namespace
}  // namespace perfcheck::store
