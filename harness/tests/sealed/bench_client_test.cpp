// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "bench_client.h"

#include "perfcheck/session/orphans.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace perfcheck::sealed {
namespace {

TEST(BenchClient, WhatItsProgramLeavesBehindIsGoneBeforeTheReferenceIsTimedAgain) {
  session::OrphanKeeper const keeper;
  std::string pattern = (std::filesystem::temp_directory_path() / "perfcheck_bench_XXXXXX").string();
  std::filesystem::path const folder = mkdtemp(pattern.data());
  std::string const program = folder / "bench";
  std::ofstream(program) << "#!/bin/sh\n(setsid sleep 100 > /dev/null 2>&1 & echo $! > '" << (folder / "left").string()
                         << "')\nread -r line\necho '{\"type\":\"ok\"}'\nsleep 100\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  pid_t left = 0;
  {
    BenchClient bench(program, session::Trust::full);
    bench.ask(protocol::SealedHello{.device = 0}, 20);
    std::ifstream(folder / "left") >> left;
    EXPECT_EQ(::kill(left, 0), 0);
  }
  EXPECT_NE(::kill(left, 0), 0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace perfcheck::sealed
