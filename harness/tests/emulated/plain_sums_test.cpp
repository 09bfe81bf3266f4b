// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Why FP8 sums that stay in the tensor cores have types of their own, and what is still wrong in them: e4m3_plain on
// the emulated GPU, whose wgmma adds FP8 with 14 bits, and launches of it that go astray.
#include "gemm_test.h"
#include "simulator.h"

#include <perfcheck/gemm.h>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <vector>

namespace perfcheck {
namespace {

using testing::StartsWith;

constexpr char const* kPoint = "gemm/wgmma/e4m3_plain:64x128-8";
constexpr int kStage = 128;  // steps of k

GemmKernel const& plain() { return *static_cast<GemmKernel const*>(registered_kernel(kPoint).typed); }

model::Verification verified(GemmKernel const& kernel, std::string const& text) {
  emulated::device().multiprocessors = 3;
  ++emulated::device().seed;
  auto const info = gemm_kernel_info(kernel, "gemm/test", "plain", __FILE__, __LINE__);
  auto const backend = device::make_cpu_backend();
  return make_gemm_operation()->parse(text)->verify(*backend, info, emulated::device().seed);
}

bool passed(model::Verification const& verification, std::string const& check) {
  auto const* const found = find_check(verification, check);
  EXPECT_NE(found, nullptr) << check;
  return found != nullptr && found->passed;
}

TEST(PlainSumsOfFp8, AreRightInTypesOfTheirOwn) {
  for (int k : {1008, 2064}) {
    auto const verification = verified(plain(), fmt::format("e4m3.tc14.bf16,nt,m35n40k{}", k));
    EXPECT_TRUE(verification.passed) << k << ": " << first_failure(verification);
  }
}

TEST(PlainSumsOfFp8, AreWrongInTypesOfFp32Sums) {
  GemmKernel kernel = plain();
  kernel.types = GemmTypes::e4m3_f32_bf16;
  for (int k : {2064, 4112}) {  // at 1008, signed data may just pass
    auto const verification = verified(kernel, fmt::format("e4m3.f32.bf16,nt,m35n40k{}", k));
    EXPECT_TRUE(passed(verification, "exact")) << k << ": " << first_failure(verification);
    EXPECT_FALSE(passed(verification, "signed")) << k;
    EXPECT_FALSE(passed(verification, "positive")) << k;
  }
}

/// A row-major matrix that is changed for one launch.
class Changed {
 public:
  Changed(void const* data, int rows, int ld)
      : bytes_(static_cast<unsigned char const*>(data),
               static_cast<unsigned char const*>(data) + static_cast<std::size_t>(rows) * static_cast<std::size_t>(ld)),
        rows_(rows),
        ld_(ld) {}
  template <class Change>
  void const* with(Change const& change) {
    for (int row = 0; row < rows_; ++row) change(bytes_.data() + std::ptrdiff_t{row} * ld_);
    return aligned();
  }

 private:
  /// The copy engine wants 16 bytes.
  void const* aligned() {
    std::size_t const size = bytes_.size();
    bytes_.resize(size + 16);
    auto const off = reinterpret_cast<std::uintptr_t>(bytes_.data()) % 16;
    unsigned char* const to = bytes_.data() + (16 - off) % 16;
    std::memmove(to, bytes_.data(), size);
    return to;
  }
  std::vector<unsigned char> bytes_;
  int rows_, ld_;
};

/// Launches with one stage of A in the middle of k changed.
template <class Change>
void launch_with(GemmArgs const& args, Change const& change) {
  if (args.k < 3 * kStage) return plain().launch(args);
  Changed a(args.a, args.m, static_cast<int>(args.lda));
  GemmArgs astray = args;
  astray.a = a.with([&](unsigned char* row) { change(row + kStage); });
  plain().launch(astray);
}

void leave_stage_out(GemmArgs const& args) {
  launch_with(args, [](unsigned char* stage) { std::memset(stage, 0, kStage); });
}
void keep_stale_stage(GemmArgs const& args) {
  launch_with(args, [](unsigned char* stage) { std::memcpy(stage, stage - kStage, kStage); });
}
void take_row_below(GemmArgs const& args) {
  GemmArgs astray = args;
  astray.a = static_cast<unsigned char const*>(args.a) + args.lda;
  --astray.m;
  plain().launch(astray);
  astray = args;
  astray.m = 1;
  astray.a = static_cast<unsigned char const*>(args.a) + (args.m - 1) * args.lda;
  astray.d = static_cast<unsigned char*>(args.d) + (args.m - 1) * args.ldd * 2;
  astray.c = args.c == nullptr ? nullptr : static_cast<unsigned char const*>(args.c) + (args.m - 1) * args.ldd * 2;
  plain().launch(astray);
}

TEST(PlainSumsOfFp8, AreStillWrongIfAStageOrARowIsAnother) {
  for (auto* const launch : {leave_stage_out, keep_stale_stage, take_row_below}) {
    GemmKernel kernel = plain();
    kernel.launch = launch;
    auto const verification = verified(kernel, "e4m3.tc14.bf16,nt,m24n40k1040");
    EXPECT_THAT(first_failure(verification), StartsWith("exact: "));
    EXPECT_FALSE(passed(verification, "signed"));
    EXPECT_FALSE(passed(verification, "positive"));
  }
}

}  // namespace
}  // namespace perfcheck
