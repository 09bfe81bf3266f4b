// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker: the operation, a backend and the registered kernels.
#include "operation/operation.h"
#include "worker/worker.h"

namespace {

#ifdef ROW_SUM_CUDA
constexpr char const* kBackend = "cuda";
auto make_backend(int index) { return perfcheck::device::make_cuda_backend(index); }
auto make_engine(perfcheck::device::Backend& backend) { return perfcheck::verify::make_cuda_engine(backend); }
#else
constexpr char const* kBackend = "cpu";
auto make_backend(int) { return perfcheck::device::make_cpu_backend(); }
auto make_engine(perfcheck::device::Backend&) { return perfcheck::verify::make_host_engine(); }
#endif

}  // namespace

int main(int argc, char** argv) {
  perfcheck::worker::WorkerSetup setup;
  setup.name = ROW_SUM_WORKER;
  setup.backend = kBackend;
  setup.make_backend = make_backend;
  setup.operation = row_sum::make_operation(make_engine);
  setup.build = {.version = ROW_SUM_VERSION,
                 .compiler = ROW_SUM_COMPILER,
                 .cuda_toolkit = ROW_SUM_CUDA_TOOLKIT,
                 .architectures = ROW_SUM_ARCHITECTURES,
                 .build_type = ROW_SUM_BUILD_TYPE,
                 .flags = ""};
  return perfcheck::worker::worker_main(argc, argv, std::move(setup));
}
