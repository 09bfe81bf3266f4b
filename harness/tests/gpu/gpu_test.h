// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "perfcheck/session/worker_client.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace perfcheck {

inline bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

/// First line of a test that needs a GPU.
#define PERFCHECK_NEEDS_GPU()                         \
  if (!::perfcheck::has_gpu()) {                      \
    GTEST_SKIP() << "this machine has no usable GPU"; \
  }

/// A worker, given relative to this test program's folder.
inline session::WorkerCommand worker_command(std::string const& relative) {
  auto const here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return {.argv = {(here / relative).string()}};
}

}  // namespace perfcheck
