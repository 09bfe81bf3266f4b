// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which parts of a cubin change which hash of a kernel, and that nothing else does.
#include "launch_data.h"
#include "machine_code.h"
#include "made_cubin.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

namespace perfcheck::device {
namespace {

using testing::Contents;
using testing::MadeCubin;

/// A cubin with everything that a kernel can reach: kernel -> called -> deeper, called -> table -> pointee, kernel ->
/// zeroed.
struct Scene {
  MadeCubin cubin;
  std::size_t constants, address_bank, own_bank, other_bank, initialised;
  std::size_t kernel, called, deeper, other, pointed;  // functions
  std::size_t table, pointee, unused, zeroed;          // variables

  Scene() {
    constants = cubin.section(".nv.constant3", Contents(16, 3));
    cubin.object("factor", constants, 0, 8);
    address_bank = cubin.section(".nv.constant4", Contents(8));
    own_bank = cubin.section(".nv.constant2.kernel", {1, 2, 3, 4});
    other_bank = cubin.section(".nv.constant2.other", {5, 6, 7, 8});
    cubin.section(".nv.constant0.kernel", Contents(32));
    initialised = cubin.section(".nv.global.init", {10, 11, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0, 20, 21, 30, 31});
    table = cubin.object("table", initialised, 0, 12);
    pointee = cubin.object("pointee", initialised, 12, 2);
    unused = cubin.object("unused", initialised, 14, 2);
    zeroed = cubin.object("zeroed", cubin.zeroed(".nv.global", 64), 0, 64);
    kernel = cubin.function("kernel", Contents(64, 0xa0));
    called = cubin.function("called", Contents(64, 0xb0));
    deeper = cubin.function("deeper", Contents(64, 0xc0));
    other = cubin.function("other", Contents(64, 0xd0));
    pointed = cubin.function("pointed", Contents(64, 0xe0));
    cubin.refer(code(kernel), 16, called);
    cubin.refer(code(kernel), 8, kernel, 24);  // a return address
    cubin.refer(code(called), 16, table);
    cubin.refer(initialised, 4, pointee, 1);
    cubin.refer(address_bank, 0, zeroed);
    cubin.call(kernel, called);
    cubin.call(called, deeper);
    cubin.point_to(pointed);
    cubin.call_through_pointer(other);
  }

  std::size_t code(std::size_t function) const { return cubin.section_of(function); }
};

struct Hashes {
  std::string machine_code, called_code, constants;
};

Hashes hashes_in(Contents const& program, std::string const& function = "kernel") {
  auto const codes = kernel_codes(program);
  auto const& code = codes.at("90:" + function);
  auto const unread = [](std::string const&, std::span<std::uint8_t>) { return false; };
  return {code.machine_code, code.called_code,
          constants_hash(code, unread, [](std::uint64_t) { return std::nullopt; })};
}

Hashes hashes_of(MadeCubin const& cubin, std::string const& function = "kernel") {
  return hashes_in(testing::program_with({cubin.bytes()}), function);
}

struct Change {
  char const* what;
  std::function<void(Scene&)> make;
  bool machine_code, called_code, constants;  ///< which hashes of the kernel it changes
};

/// Differences that a build of changed sources may have.
std::vector<Change> changes() {
  auto const flip = [](std::size_t Scene::* section, std::size_t at) {
    return [=](Scene& s) { s.cubin.contents(s.*section)[at] ^= 1; };
  };
  auto const flip_code = [](std::size_t Scene::* function) {
    return [=](Scene& s) { s.cubin.contents(s.code(s.*function))[7] ^= 1; };
  };
  return {
      {"its code", flip_code(&Scene::kernel), true, false, false},
      {"code that it calls", flip_code(&Scene::called), false, true, false},
      {"code that its callee calls", flip_code(&Scene::deeper), false, true, false},
      {"code that nobody in its reach calls", flip_code(&Scene::other), false, false, false},
      {"code that only others call through a pointer", flip_code(&Scene::pointed), false, false, false},
      {"a callee more", [](Scene& s) { s.cubin.refer(s.code(s.kernel), 40, s.pointed); }, false, true, false},
      {"a callee more, with constants", [](Scene& s) { s.cubin.refer(s.code(s.kernel), 40, s.other); }, false, true,
       true},
      {"a call of the driver's code", [](Scene& s) { s.cubin.call(s.kernel, s.cubin.provided("vprintf")); }, false,
       true, false},
      {"a constant of the module", flip(&Scene::constants, 9), false, false, true},
      {"a constant of the compiler's", flip(&Scene::own_bank, 0), false, false, true},
      {"another kernel's constant of the compiler's", flip(&Scene::other_bank, 0), false, false, false},
      {"a table that its callee refers to", flip(&Scene::initialised, 2), false, false, true},
      {"what the table points to", flip(&Scene::initialised, 13), false, false, true},
      {"a variable that nobody in its reach refers to", flip(&Scene::initialised, 15), false, false, false},
      {"that variable, now referred to", [](Scene& s) { s.cubin.refer(s.code(s.kernel), 48, s.unused); }, false, false,
       true},
      {"all of the section, now referred to",
       [](Scene& s) { s.cubin.refer(s.code(s.kernel), 48, s.cubin.whole(s.initialised)); }, false, false, true},
      {"a pointer in a bank", [](Scene& s) { s.cubin.refer(s.address_bank, 4, s.pointee); }, false, false, true},
  };
}

TEST(KernelCode, ChangesWithWhatTheKernelCanReachAndNothingElse) {
  Hashes const before = hashes_of(Scene().cubin);
  for (Change const& change : changes()) {
    SCOPED_TRACE(change.what);
    Scene scene;
    change.make(scene);
    Hashes const after = hashes_of(scene.cubin);
    EXPECT_EQ(after.machine_code != before.machine_code, change.machine_code);
    EXPECT_EQ(after.called_code != before.called_code, change.called_code);
    EXPECT_EQ(after.constants != before.constants, change.constants);
  }
}

TEST(KernelCode, OfACallThroughAPointerIsOfAllThatAPointerMayPointTo) {
  Hashes const before = hashes_of(Scene().cubin, "other");
  Scene pointed, called;
  pointed.cubin.contents(pointed.code(pointed.pointed))[0] ^= 1;
  called.cubin.contents(called.code(called.called))[0] ^= 1;
  EXPECT_NE(hashes_of(pointed.cubin, "other").called_code, before.called_code);
  EXPECT_EQ(hashes_of(called.cubin, "other").called_code, before.called_code);
}

/// Hashes of a kernel that calls through a pointer, in a module with a function whose address nobody takes.
Hashes hashes_of_caller(bool is_known_to_call, std::uint8_t code_of_other) {
  MadeCubin cubin;
  auto const kernel = cubin.function("kernel", Contents(64, 1));
  cubin.function("other", Contents(64, code_of_other));
  if (is_known_to_call) cubin.call_through_pointer(kernel);
  return hashes_of(cubin);
}

TEST(KernelCode, OfACallThroughAPointerFromElsewhereIsOfAllCodeOfTheModule) {
  EXPECT_NE(hashes_of_caller(true, 2).called_code, hashes_of_caller(true, 3).called_code);
  EXPECT_EQ(hashes_of_caller(false, 2).called_code, "");
  EXPECT_EQ(hashes_of_caller(false, 3).called_code, "");
}

TEST(KernelCode, WithoutACallGraphIsOfAllCodeOfTheModuleOnceItRefersToSome) {
  auto const without = [](std::function<void(Scene&)> const& change) {
    Scene scene;
    scene.cubin.leave_out_call_graph();
    change(scene);
    return hashes_of(scene.cubin);
  };
  Hashes const before = without([](Scene&) {});
  Hashes const other = without([](Scene& s) { s.cubin.contents(s.code(s.other))[0] ^= 1; });
  EXPECT_NE(other.called_code, before.called_code);
  EXPECT_EQ(other.machine_code, before.machine_code);
  EXPECT_EQ(other.constants, before.constants);
}

TEST(KernelCode, DoesNotDependOnNamesAndNumbersOfWhatElseTheFileHolds) {
  Hashes const before = hashes_of(Scene().cubin);
  Scene scene;
  MadeCubin moved;  // the same contents, after other sections and symbols and under other names
  moved.function("more", Contents(128, 0x11));
  auto const constants = moved.section(".nv.constant3", Contents(16, 3));
  moved.object("renamed_factor", constants, 0, 8);
  auto const bank = moved.section(".nv.constant4", Contents(8));
  auto const initialised = moved.section(".nv.global.init", {30, 31, 20, 21, 10, 11, 12, 13, 0, 0, 0, 0, 0, 0, 0, 0});
  auto const pointee = moved.object("renamed_pointee", initialised, 2, 2);
  auto const table = moved.object("renamed_table", initialised, 4, 12);
  auto const zeroed = moved.object("renamed_zeroed", moved.zeroed(".nv.global", 640), 128, 64);
  auto const deeper = moved.function("renamed_deeper", Contents(64, 0xc0));
  auto const called = moved.function("renamed_called", Contents(64, 0xb0));
  auto const kernel = moved.function("kernel", Contents(64, 0xa0));
  moved.section(".nv.constant2.kernel", {1, 2, 3, 4});
  moved.refer(bank, 0, zeroed);
  moved.refer(initialised, 8, pointee, 1);
  moved.refer(moved.section_of(called), 16, table);
  moved.refer(moved.section_of(kernel), 16, called);
  moved.call(called, deeper);
  moved.call(kernel, called);
  Hashes const after = hashes_of(moved);
  EXPECT_EQ(after.machine_code, before.machine_code);
  EXPECT_EQ(after.called_code, before.called_code);
  EXPECT_EQ(after.constants, before.constants);
}

TEST(KernelCode, ThatSeveralModulesHoldIsTheSameInWhateverOrderTheyAreLinked) {
  Scene one, two;
  two.cubin.contents(two.constants)[0] ^= 1;
  auto const in_order = hashes_in(testing::program_with({one.cubin.bytes(), two.cubin.bytes()}));
  auto const reversed = hashes_in(testing::program_with({two.cubin.bytes(), one.cubin.bytes()}));
  EXPECT_EQ(in_order.constants, reversed.constants);
  EXPECT_NE(in_order.constants, hashes_of(one.cubin).constants) << "either module's kernel may be the one that runs";
  auto const twice = hashes_in(testing::program_with({one.cubin.bytes(), one.cubin.bytes()}));
  EXPECT_EQ(twice.constants, hashes_of(one.cubin).constants);
  EXPECT_EQ(twice.called_code, hashes_of(one.cubin).called_code);
}

TEST(KernelCode, OfFilesThatAreCutOrWrongIsWhatCanBeReadAndNeverCrashes) {
  Contents const whole = testing::program_with({Scene().cubin.bytes()});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    (void)kernel_codes(std::span(whole).first(size));
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int const value : {0x01, 0xff}) {
      Contents wrong = whole;
      wrong[at] = static_cast<std::uint8_t>(value);
      (void)kernel_codes(wrong);
    }
  }
}

TEST(ConstantMemory, IsAsTheDeviceHoldsItWhereThatCanBeRead) {
  Scene scene;
  auto const codes = kernel_codes(testing::program_with({scene.cubin.bytes()}));
  KernelCode const& code = codes.at("90:kernel");
  auto const with = [&](bool can_read, std::uint8_t value) {
    return constants_hash(
        code,
        [&](std::string const& name, std::span<std::uint8_t> bytes) {
          EXPECT_EQ(name, "factor");
          EXPECT_EQ(bytes.size(), 8U);
          std::fill(bytes.begin(), bytes.end(), value);
          return can_read;
        },
        [](std::uint64_t) { return std::nullopt; });
  };
  EXPECT_EQ(with(true, 3), with(false, 9)) << "if the device cannot be read, the file's initial value, 3, counts";
  EXPECT_NE(with(true, 4), with(true, 3));
}

}  // namespace
}  // namespace perfcheck::device
