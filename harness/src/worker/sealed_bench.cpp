// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/worker/sealed_bench.h"

#include "registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::worker {
namespace {

/// What a stand-in writes: the next inputs are made from it as from any other word.
constexpr std::uint32_t kStandInWord = 0x3f8ccccdU;

/// Nobody's fault: the case cannot be timed sealed.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

KernelInfo const& kernel_called(std::string const& id, WorkerSetup const& setup) {
  auto const kernels = registered_kernels(names_of(setup.operations), setup.kernel_sources);
  auto const found = std::find_if(kernels.begin(), kernels.end(), [&](auto const* k) { return k->id() == id; });
  if (found == kernels.end()) throw std::invalid_argument(fmt::format("no kernel {} in {}", id, setup.name));
  return **found;
}

}  // namespace

std::string SealedBench::handle(std::string const& line) {
  try {
    auto const request = protocol::decode_sealed_request(line, "judge");
    if (auto const* greeting = std::get_if<protocol::SealedHello>(&request)) take_device(greeting->device);
    if (auto const* opening = std::get_if<protocol::OpenRequest>(&request)) open(*opening);
    if (auto const* recording = std::get_if<protocol::RecordRequest>(&request)) record(*recording);
    if (std::holds_alternative<protocol::GoRequest>(request)) go();
    return protocol::encode(protocol::SealedAnswer{});
  } catch (Refused const& refused) {
    return protocol::encode(protocol::SealedAnswer{.error = refused.what(), .refused = true});
  } catch (std::exception const& error) {
    return protocol::encode(protocol::SealedAnswer{.error = error.what(), .refused = false});
  }
}

void SealedBench::take_device(int index) {
  if (backend_) throw std::runtime_error("a device was taken already");
  backend_ = setup_.make_backend(index);
  present_device() = backend_->info().slug;
}

void SealedBench::open(protocol::OpenRequest const& request) {
  if (!backend_) throw std::runtime_error("no device was taken");
  batch_.reset();
  case_.reset();
  if (handle_ != request.handle) {
    outputs_ = device::Memory();
    outputs_ = backend_->open_shared(request.handle, static_cast<std::size_t>(request.bytes));
    handle_ = request.handle;
    meeting_.reset();
    meeting_ = backend_->join_meeting(request.meeting);
  }
  if (!problem_ || problem_->text() != request.problem) {
    problem_.emplace(parse_problem(setup_.operations, request.problem));
  }
  has_kernel_ = !request.kernel.empty();
  KernelInfo const* const kernel = has_kernel_ ? &kernel_called(request.kernel, setup_) : nullptr;
  if (kernel != nullptr) {
    if (problem_->operation() != kernel->operation) {
      throw std::invalid_argument(fmt::format("{} is no kernel of {}", kernel->id(), problem_->operation()));
    }
    if (auto const why = backend_->refusal(kernel->arch)) throw Refused(*why);
    if (auto const why = (*problem_)->refusal(*kernel)) throw Refused(*why);
  }
  case_ = (*problem_)->prepare_sealed(*backend_, kernel);
  if (!case_)
    throw Refused(
        fmt::format("the operation {} offers no sealed timing of {}", problem_->operation(), (*problem_)->text()));
  if (outputs_.size() < case_->output_bytes()) throw std::runtime_error("the judge's memory holds no output");
  // Outside of a recording first: libraries build their plans, modules are loaded.
  secrets_ = backend_->allocate(2 * sizeof(std::uint64_t));
  no_secrets_ = {0, 0};
  backend_->copy_to_device(secrets_.data(), no_secrets_.data(), 2 * sizeof(std::uint64_t));
  enqueue_inputs(0, true);
  if (has_kernel_) case_->launch(0, output(0));
  backend_->check_launch();
  enqueue_secret(0);
  backend_->synchronize();
}

void* SealedBench::output(int index) const {
  return outputs_.bytes_at(static_cast<std::size_t>(index) * case_->output_bytes());
}

void SealedBench::enqueue_inputs(int index, bool cold) {
  // Every launch changes the order of blocks. However many launches an index has, each order now comes before half of
  // the kernel's launches.
  if (index % 2 == 1) backend_->change_block_order();
  case_->renew_from(index, secret(index));
  if (cold) backend_->empty_cache();
}

void SealedBench::enqueue_secret(int index) {
  case_->engine().chain(output(index), case_->output_bytes(), secret(index), secret(index + 1));
}

void SealedBench::enqueue_launch(int index, protocol::BatchPart part) {
  if (part == protocol::BatchPart::launches) {
    case_->launch(index, output(index));
    return;
  }
  int const stand_ins = part == protocol::BatchPart::two_stand_ins ? 2 : 1;
  for (int i = 0; i < stand_ins; ++i) {
    case_->engine().fill_words(output(index), kStandInWord, case_->output_bytes());
  }
}

device::Recording SealedBench::recording_of(protocol::RecordRequest const& request) {
  return {.launches = request.launches,
          .launch = [this, part = request.part](int index) { enqueue_launch(index, part); },
          .prepare =
              [this, cold = request.cold](int index) {
                if (index == 0) {
                  meeting_->enqueue_await(secret(0));
                } else {
                  enqueue_secret(index - 1);
                }
                enqueue_inputs(index, cold);
              },
          .finish =
              [this, launches = request.launches] {
                enqueue_secret(launches - 1);
                meeting_->enqueue_tell(secret(launches));
              }};
}

void SealedBench::record(protocol::RecordRequest const& request) {
  if (!case_) throw std::runtime_error("nothing was opened");
  if (request.part == protocol::BatchPart::launches && !has_kernel_) throw std::runtime_error("no kernel was opened");
  if (static_cast<std::size_t>(request.launches) * case_->output_bytes() > outputs_.size()) {
    throw std::runtime_error("the judge's memory does not hold so many outputs");
  }
  batch_.reset();
  no_secrets_.assign(static_cast<std::size_t>(request.launches) + 1, 0);
  secrets_ = backend_->allocate(no_secrets_.size() * sizeof(std::uint64_t));
  batch_ = backend_->record(recording_of(request));
}

void SealedBench::go() {
  if (!batch_) throw std::runtime_error("nothing was recorded");
  backend_->copy_to_device(secrets_.data(), no_secrets_.data(), no_secrets_.size() * sizeof(std::uint64_t));
  (void)batch_->run({});
}

}  // namespace perfcheck::worker
