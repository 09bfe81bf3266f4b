// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/sealed/judge.h"

#include "batch_proof.h"
#include "bench_client.h"
#include "perfcheck/model/median.h"
#include "perfcheck/verify/draw_secret.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace perfcheck::sealed {
namespace {

using model::SealedStatus;
using protocol::BatchPart;

/// A batch is this long where memory allows: what surrounds it varies by some tens of microseconds.
constexpr double kBatchNs = 60e6;
constexpr int kMostLaunches = 4096;
/// Of outputs, which all stay until they are looked at. Memory that processes of a CPU share is scarce: containers have
/// 64 MiB of it.
constexpr std::size_t kOutputBytes = std::size_t{8} << 30U, kOutputBytesCpu = std::size_t{48} << 20U;
constexpr int kPilotLaunches = 4;
/// Outputs of each batch that are compared besides the last.
constexpr int kDrawn = 12, kDrawnOfReference = 1;
/// Batches with inputs left in the cache, which only have to be long enough.
constexpr int kWarmBatches = 3;
/// What a batch takes without the kernel is a constant and a part per launch; told apart by batches of which one is so
/// many times shorter, each this often.
constexpr int kShorter = 8, kAroundBatches = 5, kAroundLaunches = 1024;
/// The reference is timed before the kernel's process begins and after it has ended; the two may differ by so much, and
/// on a CPU, which others use too, by more.
constexpr double kReferenceShare = 0.05, kReferenceShareCpu = 0.5, kReferenceSlackNs = 1000;
constexpr double kOpenPatienceS = 120, kBatchPatienceS = 60;

/// The case ends here with what is to be said of it.
class Ended : public std::runtime_error {
 public:
  Ended(SealedStatus status, std::string const& message) : std::runtime_error(message), status_(status) {}
  SealedStatus status() const { return status_; }

 private:
  SealedStatus status_;
};

/// Time of a batch without launches, for any number of them.
struct Line {
  double constant_ns = 0, each_ns = 0;
};

/// Kernel of the judge's own that cases of this problem are compared with: a library's, which is its own reference.
std::string own_reference(worker::Problem const& problem, device::Backend const& backend) {
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    KernelInfo const& kernel = node->info();
    if (problem.concerns(kernel) && !problem.refusal(kernel) && !backend.refusal(kernel.arch) &&
        problem.reference(kernel).kernel == kernel.id()) {
      return kernel.id();
    }
  }
  return "";
}

class Judge {
 public:
  Judge(worker::WorkerSetup& setup, std::string const& own_program, JudgeOptions const& options,
        std::function<void(std::string const&)> const& report, model::SealedResult& result)
      : setup_(setup),
        options_(options),
        report_(report),
        result_(result),
        name_(model::split_case_id(options.case_id)) {
    parse();
    start_own(own_program);
    take_device();
  }

  /// The kernel's process lives only while it is timed: it could slow whatever runs beside it, and what is taken off
  /// its time, or what it is compared with, would look longer than it is.
  void run() {
    find_surroundings();
    auto const before = time_reference("the reference, before");
    time_kernel();
    auto const after = time_reference("the reference, after");
    take_reference(before, after);
    if (!doubt_.empty()) throw Ended(SealedStatus::invalid, doubt_);
  }

 private:
  void parse() {
    try {
      problem_ = setup_.operation->parse(name_.problem);
    } catch (std::invalid_argument const& error) {
      throw Ended(SealedStatus::refused, error.what());
    }
  }

  /// When even the judge's own program cannot live confined, the machine does not allow it.
  void start_own(std::string const& own_program) {
    // Of the same user, should it come to that, nobody may look into this process.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0) {
      result_.confinement.applied.emplace_back("the judge's memory is closed to its own user");
    }
    protocol::SealedHello const hello{.device = options_.device};
    own_.emplace(own_program, trust_);
    try {
      own_->ask(hello, kOpenPatienceS);
    } catch (std::runtime_error const& error) {
      result_.confinement.missing.push_back(
          std::string("any confinement: the judge's own process does not run in it: ") + error.what());
      trust_ = session::Trust::full;
      own_.emplace(own_program, trust_);
      own_->ask(hello, kOpenPatienceS);
    }
  }

  void start_kernel() {
    kernel_.emplace(options_.program, trust_);
    auto const& confinement = kernel_->confinement();
    auto& told = result_.confinement;
    told.applied.insert(told.applied.end(), confinement.applied.begin(), confinement.applied.end());
    told.missing.insert(told.missing.end(), confinement.missing.begin(), confinement.missing.end());
    ask(*kernel_, protocol::SealedHello{.device = options_.device}, kOpenPatienceS);
  }

  void take_device() {
    backend_ = setup_.make_backend(options_.device);
    sealed_ = problem_->prove_sealed(*backend_);
    if (!sealed_) {
      throw Ended(SealedStatus::refused,
                  fmt::format("the operation {} offers no sealed timing", setup_.operation->name()));
    }
    cold_ = sealed_->cold() && backend_->name() == "cuda";
    reference_ = own_reference(*problem_, *backend_);
    if (!reference_.empty()) result_.reference = model::case_id(reference_, name_.problem);
    std::size_t const most_bytes = backend_->name() == "cpu" ? kOutputBytesCpu : kOutputBytes;
    proof_.emplace(*backend_, *sealed_, std::min(most_bytes, backend_->free_bytes() / 8), kMostLaunches);
  }

  /// What the kernel's process does wrong ends the case in its words.
  template <class Work>
  void of_kernel(Work const& work) {
    try {
      work();
    } catch (BenchFailed const& failed) {
      throw Ended(failed.refused() ? SealedStatus::refused : SealedStatus::failed, failed.what());
    } catch (BenchLost const& lost) {
      throw Ended(SealedStatus::failed, std::string("the kernel's process ") + lost.what());
    }
  }
  void ask(BenchClient& bench, protocol::SealedRequest const& request, double timeout_s) {
    if (&bench == &*own_) {
      bench.ask(request, timeout_s);
    } else {
      of_kernel([&] { bench.ask(request, timeout_s); });
    }
  }

  void open(BenchClient& bench, std::string const& kernel) {
    ask(bench,
        protocol::OpenRequest{.kernel = kernel,
                              .problem = problem_->text(),
                              .handle = proof_->handle(),
                              .bytes = static_cast<std::int64_t>(proof_->bytes())},
        kOpenPatienceS);
  }
  /// The first batch after it is not timed: memory is new to the process, clocks have fallen.
  void record(BenchClient& bench, int launches, bool cold, BatchPart part = BatchPart::launches) {
    ask(bench, protocol::RecordRequest{.launches = launches, .part = part, .cold = cold}, kOpenPatienceS);
    (void)batch_ns(bench, launches, verify::draw_secret());
  }

  /// From when the secret is told to when the last output is in the judge's hands.
  double batch_ns(BenchClient& bench, int launches, std::uint64_t secret) {
    proof_->poison(launches);
    auto const start = std::chrono::steady_clock::now();
    ask(bench, protocol::GoRequest{.secret = secret}, kBatchPatienceS);
    proof_->take_last(launches);
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  }

  int launches_for_a_batch(BenchClient& bench) {
    int launches = std::min(kPilotLaunches, proof_->most_launches());
    for (int pilot = 0; pilot < 2; ++pilot) {
      record(bench, launches, cold_);
      double const each_ns = batch_ns(bench, launches, verify::draw_secret()) / launches;
      double const wanted = (pilot == 0 ? kBatchNs / 4 : kBatchNs) / each_ns;
      launches = static_cast<int>(std::clamp<double>(std::ceil(wanted), 2, proof_->most_launches()));
    }
    return launches;
  }

  double part_ns(BatchPart part, bool cold, int launches) {
    record(*own_, launches, cold, part);
    std::vector<double> times;
    for (int i = 0; i < kAroundBatches; ++i) times.push_back(batch_ns(*own_, launches, verify::draw_secret()));
    return *model::median(times);
  }

  Line line_of(BatchPart part, bool cold) {
    int const most = std::min(proof_->most_launches(), kAroundLaunches), fewer = std::max(1, most / kShorter);
    double const whole = part_ns(part, cold, most);
    if (fewer == most) return {.constant_ns = 0, .each_ns = whole / most};
    double const each = std::max(0.0, (whole - part_ns(part, cold, fewer)) / (most - fewer));
    return {.constant_ns = std::max(0.0, whole - each * most), .each_ns = each};
  }

  void find_surroundings() {
    report_("timing what surrounds launches");
    open(*own_, "");
    secrets_ = line_of(BatchPart::secrets, false);
    warm_inputs_ = line_of(BatchPart::inputs, false);
    cold_inputs_ = cold_ ? line_of(BatchPart::inputs, true) : warm_inputs_;
  }

  /// What a batch takes besides its launches.
  double around_ns(bool cold, int launches) const {
    Line const& inputs = cold ? cold_inputs_ : warm_inputs_;
    return inputs.constant_ns + (inputs.each_ns + secrets_.each_ns) * launches;
  }

  std::vector<double> time_reference(std::string const& what) {
    std::vector<double> times;
    if (reference_.empty()) return times;
    report_(what);
    if (result_.reference_launches == 0) {
      open(*own_, reference_);
      result_.reference_launches = launches_for_a_batch(*own_);
    }
    record(*own_, result_.reference_launches, cold_);
    for (int batch = 0; batch < options_.batches; ++batch) {
      times.push_back(launch_ns(*own_, result_.reference_launches, cold_, kDrawnOfReference, what));
    }
    return times;
  }

  void take_reference(std::vector<double> const& before, std::vector<double> const& after) {
    if (before.empty()) return;
    double const first = *model::median(before), second = *model::median(after);
    double const share = backend_->name() == "cpu" ? kReferenceShareCpu : kReferenceShare;
    if (!(std::abs(first - second) <= share * first + kReferenceSlackNs)) {
      throw Ended(SealedStatus::invalid,
                  fmt::format("its reference took {:.2f} us before and {:.2f} us after it: something else used the "
                              "device, or the kernel's process left something behind",
                              first / 1e3, second / 1e3));
    }
    for (std::size_t i = 0; i < before.size(); ++i) result_.reference_time_ns.push_back((before[i] + after[i]) / 2);
  }

  void time_kernel() {
    report_("the kernel: finding the length of a launch");
    start_kernel();
    open(*kernel_, name_.kernel);
    result_.launches = launches_for_a_batch(*kernel_);
    result_.around_ns = around_ns(false, result_.launches) / result_.launches;
    auto const before = proof_->verified();
    time_kernel(result_.time_ns, cold_, options_.batches, "the kernel");
    if (cold_) {
      time_kernel(result_.warm_time_ns, false, kWarmBatches, "the kernel, inputs in the cache");
      result_.write_back_ns = write_back_ns();
    }
    result_.verified = proof_->verified() - before;
    kernel_.reset();
  }

  void time_kernel(std::vector<double>& times, bool cold, int batches, std::string const& what) {
    record(*kernel_, result_.launches, cold);
    for (int batch = 1; batch <= batches; ++batch) {
      report_(fmt::format("{}, batch {} of {}", what, batch, batches));
      times.push_back(launch_ns(*kernel_, result_.launches, cold, kDrawn, fmt::format("batch {}", batch)));
    }
  }

  /// What the making of inputs left in the cache has to go to memory some time.
  double write_back_ns() {
    auto const info = backend_->info();
    double const dirty = std::min(problem_->work().bytes, static_cast<double>(info.cache_bytes));
    return info.peak_gb_s ? dirty / *info.peak_gb_s : 0;
  }

  double launch_ns(BenchClient& bench, int launches, bool cold, int drawn, std::string const& what) {
    auto const secret = verify::draw_secret();
    double const time = (batch_ns(bench, launches, secret) - around_ns(cold, launches)) / launches;
    if (auto const wrong = proof_->finding(launches, secret, drawn); !wrong.empty()) {
      throw Ended(SealedStatus::incorrect, fmt::format("{}, {}", what, wrong));
    }
    if (!(time > 0) && doubt_.empty()) {
      doubt_ = fmt::format("{}: {} launches took no longer than it takes without any kernel", what, launches);
    }
    return time;
  }

  worker::WorkerSetup& setup_;
  JudgeOptions const& options_;
  std::function<void(std::string const&)> const& report_;
  model::SealedResult& result_;
  model::CaseName name_;
  std::string reference_;  ///< kernel id, of the judge's own; empty for none
  std::unique_ptr<worker::Problem> problem_;
  std::unique_ptr<device::Backend> backend_;
  std::unique_ptr<worker::SealedProof> sealed_;
  std::optional<BatchProof> proof_;
  std::optional<BenchClient> own_, kernel_;  ///< behind it: they end before the memory is freed that they have opened
  session::Trust trust_ = session::Trust::confined;
  std::string doubt_;  ///< what is wrong with a time, told only when every output is right
  bool cold_ = false;  ///< launches find an emptied cache, as in the ordinary way
  Line secrets_, warm_inputs_, cold_inputs_;
};

}  // namespace

model::SealedResult judge_case(worker::WorkerSetup& setup, std::string const& own_program, JudgeOptions const& options,
                               std::function<void(std::string const&)> const& report) {
  model::SealedResult result;
  result.id = options.case_id;
  auto const end = [&](SealedStatus status, std::string const& message) {
    result.status = status;
    result.message = message;
    result.time_ns.clear();
    result.reference_time_ns.clear();
    result.warm_time_ns.clear();
    result.write_back_ns = 0;
  };
  try {
    Judge judge(setup, own_program, options, report, result);
    judge.run();
    result.status = SealedStatus::timed;
  } catch (Ended const& ended) {
    end(ended.status(), ended.what());
  } catch (device::DeviceError const& error) {
    end(SealedStatus::failed, std::string("the judge's device: ") + error.what());
  } catch (std::exception const& error) {
    end(SealedStatus::failed, std::string("the judge: ") + error.what());
  }
  return result;
}

}  // namespace perfcheck::sealed
