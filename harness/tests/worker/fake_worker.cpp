// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "fake_worker.h"

#include <chrono>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace perfcheck::worker {

char const* const kFakeFile = "fake_worker.cpp";

namespace {

constexpr LibraryInfo kLibrary{.name = "FakeBLAS", .version = [] { return std::string("1.2.3"); }};

KernelInfo info(char const* name, Arch arch = any_arch(), LibraryInfo const* library = nullptr) {
  return {.operation = "fake",
          .set = "fake/set",
          .name = name,
          .summary = "a test kernel",
          .file = kFakeFile,
          .line = __LINE__,
          .arch = arch,
          .library = library};
}

KernelRegistration const good{info("good")};
KernelRegistration const wrong{info("wrong")};
KernelRegistration const throws{info("throws")};
KernelRegistration const hungry{info("hungry")};
KernelRegistration const refuses{info("refuses")};
KernelRegistration const needs_gpu{info("needs_gpu", arch_at_least(9, 0))};
KernelRegistration const spoils_later{info("spoils_later")};
KernelRegistration const reference_kernel{info("reference", any_arch(), &kLibrary)};

/// Spins for 20 microseconds, or for 2 ms in every launch of the problem "long" and in the second launch of "hiccup".
/// It computes nothing: the kernel's name decides the verdict.
class FakeTimedCase final : public TimedCase {
 public:
  FakeTimedCase(std::string name, std::string problem, Calls& calls)
      : name_(std::move(name)), problem_(std::move(problem)), calls_(calls) {}
  void launch(int) override {
    ++calls_.launches;
    bool const is_long = problem_ == "long" || (problem_ == "hiccup" && calls_.launches == 2);
    auto const end = std::chrono::steady_clock::now() + std::chrono::microseconds(is_long ? 2000 : 20);
    while (std::chrono::steady_clock::now() < end) {
    }
  }
  int sets() const override { return 100; }
  void renew(verify::SetRange, std::uint64_t) override {}
  void renew_late(std::uint64_t) override {}
  void compare(int, std::uint64_t, std::uint64_t) override {}
  std::string finding() override { return name_ == "spoils_later" && calls_.launches > 3 ? "row 3 differs" : ""; }
  std::string changed_inputs(int, std::uint64_t) override { return ""; }

 private:
  std::string name_;
  std::string problem_;
  Calls& calls_;
};

class FakeProblem final : public Problem {
 public:
  FakeProblem(std::string text, Calls& calls) : text_(std::move(text)), calls_(calls) {}
  std::string text() const override { return text_; }
  model::Work work() const override { return {.flop = 1000, .bytes = 64}; }
  std::string arithmetic() const override { return "f32"; }
  bool concerns(KernelInfo const& kernel) const override {
    return text_ != "only_good" || std::string_view(kernel.name) == "good";
  }
  Refusal refusal(KernelInfo const& kernel) const override {
    return std::string_view(kernel.name) == "refuses" ? Refusal("m must be even") : std::nullopt;
  }
  model::CaseName reference(KernelInfo const&) const override {
    return text_ == "no_reference" ? model::CaseName{} : model::CaseName{"fake/set/reference", text_};
  }
  model::Verification verify(device::Backend&, KernelInfo const& kernel, uint64_t) override {
    ++calls_.verifications;
    if (std::string_view(kernel.name) == "hungry") throw device::OutOfMemory("no memory for 7 bytes");
    if (std::string_view(kernel.name) == "throws") {
      throw std::runtime_error("the kernel threw");
    }
    bool const passed = std::string_view(kernel.name) != "wrong" &&
                        !(text_ == "bad_reference" && std::string_view(kernel.name) == "reference");
    return {.passed = passed,
            .checks = {{.name = "exact",
                        .passed = passed,
                        .error_over_bound = std::nullopt,
                        .detail = passed ? "" : "1 of 4 elements wrong"}}};
  }
  std::unique_ptr<TimedCase> prepare(device::Backend&, KernelInfo const& kernel) override {
    return std::make_unique<FakeTimedCase>(kernel.name, text_, calls_);
  }

 private:
  std::string text_;
  Calls& calls_;
};

class FakeOperation final : public Operation {
 public:
  explicit FakeOperation(Calls& calls) : calls_(calls) {}
  std::string name() const override { return "fake"; }
  std::unique_ptr<Problem> parse(std::string_view text) const override {
    if (text == "nonsense") {
      throw std::invalid_argument("'nonsense' is not a problem");
    }
    return std::make_unique<FakeProblem>(std::string(text), calls_);
  }

 private:
  Calls& calls_;
};

}  // namespace

std::unique_ptr<Operation> fake_operation(Calls& calls) { return std::make_unique<FakeOperation>(calls); }

}  // namespace perfcheck::worker
