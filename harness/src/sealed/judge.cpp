// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/sealed/judge.h"

#include "batch_clock.h"
#include "perfcheck/model/median.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace perfcheck::sealed {
namespace {

using model::SealedStatus;
using protocol::BatchPart;

/// Target length of a batch where memory allows: its start and end vary by some microseconds. On a GPU at most
/// kKernelNs of it are the kernel's own, and the device rests between batches, as in ordinary timing (docs/design.md,
/// "Rests between replays"): at its power limit it would run at another clock than there.
constexpr double kBatchNs = 60e6, kKernelNs = 6e6;
constexpr double kIdleShare = 1.5, kLongestRestNs = 10e6;
/// On a GPU one launch for each place in memory. The outputs of more launches lie so far apart that kernels, but not
/// stand-ins, wait for addresses: 0.4 to 1.8 us of 25 to 100 on an H100, with 60 to 250 outputs of 8 or 16 MiB.
constexpr int kMostLaunches = worker::kPlaces, kMostLaunchesCpu = 4096;
/// Most memory for outputs, which are all kept until they are checked. Memory that CPU processes share is scarce:
/// containers have 64 MiB of it.
constexpr std::size_t kOutputBytes = std::size_t{8} << 30U, kOutputBytesCpu = std::size_t{48} << 20U;
constexpr int kPilots = 3, kPilotLaunches = 4;
/// Outputs compared per batch, besides the last one.
constexpr int kDrawn = 12, kDrawnOfReference = 1;
/// Batches with inputs left in the cache. Their time only has to stay below a limit.
constexpr int kWarmBatches = 7;
/// Batches without a kernel, and the launches in those that measure the time of a stand-in.
constexpr int kBatchesAround = 15, kManyStandIns = 1024;
/// The reference is timed before the kernel's process starts and after it has ended. The two times may differ by this
/// share and slack; on a CPU, which others use too, by a larger share.
constexpr double kReferenceShare = 0.05, kReferenceShareCpu = 0.5, kReferenceSlackNs = 1000;

/// Ends the case with this status and message.
class Ended : public std::runtime_error {
 public:
  Ended(SealedStatus status, std::string const& message) : std::runtime_error(message), status_(status) {}
  SealedStatus status() const { return status_; }

 private:
  SealedStatus status_;
};

/// The judge's own kernel to compare this problem's cases with: a library's, which is its own reference. May be empty.
std::string own_reference(worker::NamedProblem const& problem, device::Backend const& backend) {
  for (auto const* node = KernelRegistration::first(); node != nullptr; node = node->next()) {
    KernelInfo const& kernel = node->info();
    if (problem.concerns(kernel) && !problem->refusal(kernel) && !backend.refusal(kernel.arch) &&
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

  /// The kernel's process lives only while it is timed. It could slow down what runs beside it, and so lengthen what is
  /// subtracted from its time, or the time of its reference.
  void run() {
    find_stand_in();
    auto const before = time_reference("the reference, before");
    auto const kernel = time_kernel();
    auto const after = time_reference("the reference, after");
    take_kernel(kernel);
    take_reference(before, after);
    if (!doubt_.empty()) throw Ended(SealedStatus::invalid, doubt_);
  }

 private:
  void parse() {
    try {
      problem_.emplace(worker::parse_problem(setup_.operations, name_.problem));
    } catch (std::invalid_argument const& error) {
      throw Ended(SealedStatus::refused, error.what());
    }
  }

  /// If even the judge's own program fails under confinement, the machine does not allow it, and nothing is confined.
  void start_own(std::string const& own_program) {
    // If the kernel's process has to run as the same user, it must not be able to look into this one.
    if (session::close_own_memory()) {
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
    sealed_ = (*problem_)->prove_sealed(*backend_);
    if (!sealed_) {
      throw Ended(SealedStatus::refused, fmt::format("the operation {} offers no sealed timing of {}",
                                                     problem_->operation(), (*problem_)->text()));
    }
    cold_ = sealed_->cold() && is_cuda();
    reference_ = own_reference(*problem_, *backend_);
    if (!reference_.empty()) result_.reference = model::case_id(reference_, name_.problem);
    std::size_t const most_bytes = is_cuda() ? kOutputBytes : kOutputBytesCpu;
    int const most_launches = is_cuda() ? kMostLaunches : kMostLaunchesCpu;
    proof_.emplace(*backend_, *sealed_, std::min(most_bytes, backend_->free_bytes() / 8), most_launches);
    clock_.emplace(*proof_);
  }

  /// Ends the case if the kernel's process fails. Failures of the judge's own process pass through.
  template <class Work>
  void with(BenchClient& bench, Work const& work) {
    if (&bench == &*own_) {
      work();
      return;
    }
    try {
      work();
    } catch (BenchFailed const& failed) {
      throw Ended(failed.refused() ? SealedStatus::refused : SealedStatus::failed, failed.what());
    } catch (BenchLost const& lost) {
      throw Ended(SealedStatus::failed, std::string("the kernel's process ") + lost.what());
    }
  }
  void ask(BenchClient& bench, protocol::SealedRequest const& request, double timeout_s) {
    with(bench, [&] { bench.ask(request, timeout_s); });
  }

  void open(BenchClient& bench, std::string const& kernel) {
    ask(bench,
        protocol::OpenRequest{.kernel = kernel,
                              .problem = problem_->text(),
                              .handle = proof_->handle(),
                              .bytes = static_cast<std::int64_t>(proof_->bytes()),
                              .meeting = clock_->handle()},
        kOpenPatienceS);
  }
  /// Also runs one batch that is not timed: memory is still new to the process, and clocks have fallen.
  void record(Series const& series, bool cold, BatchPart part = BatchPart::launches) {
    ask(series.bench, protocol::RecordRequest{.launches = series.launches, .part = part, .cold = cold}, kOpenPatienceS);
    (void)run_batch(series);
  }

  Batch run_batch(Series const& series) {
    Batch batch;
    with(series.bench, [&] { batch = clock_->run(series); });
    return batch;
  }

  double kernel_ns(double each_ns) const { return std::max(each_ns - rough_around_ns_, 1.0); }

  /// The number of launches that a batch should have, if each takes `each_ns` with what surrounds it.
  double wanted_launches(double each_ns) const {
    double const most_ns = is_cuda() ? std::min(kBatchNs, kKernelNs * each_ns / kernel_ns(each_ns)) : kBatchNs;
    return std::clamp<double>(std::ceil(most_ns / each_ns), 2, proof_->most_launches());
  }

  Series series_of(BenchClient& bench) {
    Series series{.bench = bench, .launches = std::min(kPilotLaunches, proof_->most_launches())};
    for (int pilot = 0; pilot < kPilots; ++pilot) {
      record(series, cold_);
      double const each_ns = run_batch(series).time_ns / series.launches;
      series.launches = static_cast<int>(wanted_launches(each_ns));
      if (is_cuda()) {
        series.rest_ns = std::min(kIdleShare * kernel_ns(each_ns) * series.launches, kLongestRestNs);
      }
    }
    return series;
  }

  /// Keeps a kernel from gaining by being slow while the number of launches is chosen: with too few, a time is chance.
  void check_length(Series const& series, std::vector<double> const& batches_ns) {
    double const wanted = wanted_launches(*model::median(batches_ns) / series.launches);
    if (2 * series.launches >= wanted || !doubt_.empty()) return;
    doubt_ = fmt::format(
        "launches were slower while their number was chosen: a batch has {}, and {:.0f} would have been as long as it "
        "should be",
        series.launches, wanted);
  }

  double part_ns(BatchPart part, bool cold, int launches) {
    Series const series{.bench = *own_, .launches = launches};
    open(*own_, "");
    record(series, cold, part);
    std::vector<double> times;
    for (int i = 0; i < kBatchesAround; ++i) times.push_back(run_batch(series).time_ns);
    return *model::median(times);
  }

  void find_stand_in() {
    report_("timing what surrounds launches");
    int const many = std::min(proof_->most_launches(), kManyStandIns);
    double const one = part_ns(BatchPart::one_stand_in, false, many);
    stand_in_ns_ = std::max(0.0, (part_ns(BatchPart::two_stand_ins, false, many) - one) / many);
    double const around = cold_ ? part_ns(BatchPart::one_stand_in, true, many) : one;
    rough_around_ns_ = std::max(0.0, around / many - stand_in_ns_);
  }

  /// Time of a batch without its launches: that of one with stand-ins in their place, less the stand-ins.
  double around_ns(int launches, bool cold) {
    report_("timing what surrounds launches");
    return part_ns(BatchPart::one_stand_in, cold, launches) - launches * stand_in_ns_;
  }

  /// Time of each batch.
  std::vector<double> time_batches(Series const& series, bool cold, int batches, int drawn, std::string const& what) {
    record(series, cold);
    std::vector<double> times;
    for (int batch = 1; batch <= batches; ++batch) {
      std::string const name = fmt::format("{}, batch {} of {}", what, batch, batches);
      report_(name);
      auto const one = run_batch(series);
      times.push_back(one.time_ns);
      if (auto const wrong = proof_->finding(series.launches, one.first, *one.last, drawn); !wrong.empty()) {
        throw Ended(SealedStatus::incorrect, fmt::format("{}, {}", name, wrong));
      }
    }
    return times;
  }

  /// Time of one launch in each batch, without what surrounds it.
  std::vector<double> launches_ns(std::vector<double> batches_ns, int launches, double around) {
    for (double& time : batches_ns) {
      time = (time - around) / launches;
      if (!(time > 0) && doubt_.empty()) {
        doubt_ = fmt::format("{} launches took no longer than it takes without any kernel", launches);
      }
    }
    return batches_ns;
  }

  std::vector<double> time_reference(std::string const& what) {
    if (reference_.empty()) return {};
    open(*own_, reference_);
    if (!reference_series_) reference_series_.emplace(series_of(*own_));
    return time_batches(*reference_series_, cold_, options_.batches, kDrawnOfReference, what);
  }

  void take_reference(std::vector<double> const& before, std::vector<double> const& after) {
    if (before.empty()) return;
    std::vector<double> both;
    for (std::size_t i = 0; i < before.size(); ++i) both.push_back((before[i] + after[i]) / 2);
    result_.reference_launches = reference_series_->launches;
    double const around = around_ns(result_.reference_launches, cold_);
    result_.reference_time_ns = launches_ns(both, result_.reference_launches, around);
    double const apart = (*model::median(before) - *model::median(after)) / result_.reference_launches;
    double const share = is_cuda() ? kReferenceShare : kReferenceShareCpu;
    double const time = *model::median(result_.reference_time_ns);
    if (!(std::abs(apart) <= share * time + kReferenceSlackNs)) {
      throw Ended(SealedStatus::invalid,
                  fmt::format("its reference took {:.2f} us before and {:.2f} us after it: something else used the "
                              "device, or the kernel's process left something behind",
                              (time + apart / 2) / 1e3, (time - apart / 2) / 1e3));
    }
  }

  struct KernelBatches {
    std::vector<double> usual_ns, warm_ns;
  };

  KernelBatches time_kernel() {
    report_("the kernel: finding the length of a launch");
    start_kernel();
    open(*kernel_, name_.kernel);
    Series const series = series_of(*kernel_);
    result_.launches = series.launches;
    auto const before = proof_->verified();
    KernelBatches batches{.usual_ns = time_batches(series, cold_, options_.batches, kDrawn, "the kernel"),
                          .warm_ns = {}};
    if (cold_) batches.warm_ns = time_batches(series, false, kWarmBatches, kDrawn, "the kernel, inputs in the cache");
    result_.verified = proof_->verified() - before;
    check_length(series, batches.usual_ns);
    kernel_.reset();
    return batches;
  }

  void take_kernel(KernelBatches const& batches) {
    int const launches = result_.launches;
    double const around = around_ns(launches, cold_), warm_around = cold_ ? around_ns(launches, false) : around;
    result_.time_ns = launches_ns(batches.usual_ns, launches, around);
    result_.warm_time_ns = launches_ns(batches.warm_ns, launches, warm_around);
    result_.around_ns = std::max(0.0, warm_around / launches);
    if (cold_) result_.write_back_ns = write_back_ns();
  }

  /// Time to write back to memory what making the inputs left in the cache.
  double write_back_ns() {
    auto const info = backend_->info();
    double const dirty = std::min((*problem_)->work().bytes, static_cast<double>(info.cache_bytes));
    return info.peak_gb_s ? dirty / *info.peak_gb_s : 0;
  }

  bool is_cuda() const { return backend_->name() == "cuda"; }

  worker::WorkerSetup& setup_;
  JudgeOptions const& options_;
  std::function<void(std::string const&)> const& report_;
  model::SealedResult& result_;
  model::CaseName name_;
  std::string reference_;  ///< kernel id, of the judge's own; empty for none
  std::optional<worker::NamedProblem> problem_;
  std::unique_ptr<device::Backend> backend_;
  std::unique_ptr<worker::SealedProof> sealed_;
  std::optional<BatchProof> proof_;
  std::optional<BatchClock> clock_;
  std::optional<BenchClient> own_, kernel_;  ///< after proof_: they end before the memory they opened is freed
  session::Trust trust_ = session::Trust::confined;
  std::string doubt_;           ///< what is wrong with a time; reported only if every output is right
  bool cold_ = false;           ///< launches find an emptied cache, as in the ordinary way
  double stand_in_ns_ = 0;      ///< time of one stand-in in the place of a launch
  double rough_around_ns_ = 0;  ///< a launch's share of a long batch, without the launch itself
  std::optional<Series> reference_series_;
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
