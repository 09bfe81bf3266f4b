// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/line_problem.h"

#include "line_proof.h"
#include "line_verification.h"

#include "perfcheck/kit/problem.h"

namespace perfcheck::kit {
namespace {

class LineProblem final : public Problem {
 public:
  LineProblem(LineGrammar const& grammar, std::shared_ptr<LineDefinition> definition,
              std::shared_ptr<Devices<Device>> devices)
      : Problem(definition), grammar_(grammar), definition_(std::move(definition)), devices_(std::move(devices)) {}

  std::string text() const override { return to_text(grammar_, definition_->text()); }
  model::Work work() const override { return {.flop = definition_->flop(), .bytes = bytes_moved(*definition_)}; }
  /// That of the regular units, not of the tensor cores: formats narrower than FP32 are converted to FP32.
  std::string arithmetic() const override {
    ElementFormat const format = format_of(definition_->element());
    return format.integer || format.bits > 32 ? format.arithmetic : "f32";
  }

  std::vector<model::Axis> axes() const override {
    LineText const text = definition_->text();
    std::vector<model::Axis> axes;
    if (text.element) axes.emplace_back("types", std::string(perfcheck::to_text(*text.element)));
    for (std::size_t i = 0; i < grammar_.sizes.size(); ++i)
      axes.emplace_back(grammar_.sizes[i].name, static_cast<double>(text.sizes[i]));
    if (text.hot) axes.emplace_back("cache", "hot");
    return axes;
  }

  bool concerns(KernelInfo const& kernel) const override {
    return kernel.operation == grammar_.operation && definition_->concerns(kernel);
  }
  Refusal refusal(KernelInfo const& kernel) const override { return definition_->refusal(kernel); }

  model::Verification verify(device::Backend& backend, KernelInfo const& kernel, std::uint64_t seed) override {
    Device& device = enter(backend);
    if (!bench_) bench_ = std::make_unique<Bench>(device);
    return verify_lines(*definition_, *math_, device, *bench_, kernel, seed);
  }

 protected:
  Device& device(device::Backend& backend) override { return enter(backend); }
  std::shared_ptr<Proof> proof(device::Backend& backend) override {
    Device& device = enter(backend);
    // A new one each time, because each case needs counts of its own.
    return make_line_proof(device, definition_->make_math(backend), definition_->bound());
  }

 private:
  Device& enter(device::Backend& backend) {
    Device& device = devices_->of(backend);
    if (backend_ != &backend) {
      bench_.reset();
      math_ = definition_->make_math(backend);
      backend_ = &backend;
    }
    return device;
  }

  LineGrammar grammar_;
  std::shared_ptr<LineDefinition> definition_;
  std::shared_ptr<Devices<Device>> devices_;
  device::Backend* backend_ = nullptr;
  std::unique_ptr<LineMath> math_;
  std::unique_ptr<Bench> bench_;
};

class Operation final : public worker::Operation {
 public:
  explicit Operation(LineOperation operation)
      : operation_(std::move(operation)),
        devices_(std::make_shared<Devices<Device>>([make_engine = operation_.make_engine](device::Backend& backend) {
          return std::make_unique<Device>(make_device(backend, make_engine(backend)));
        })) {}

  std::string name() const override { return std::string(operation_.grammar.operation); }
  std::unique_ptr<worker::Problem> parse(std::string_view text) const override {
    return std::make_unique<LineProblem>(operation_.grammar,
                                         operation_.define(parse_line_text(operation_.grammar, text)), devices_);
  }

 private:
  LineOperation operation_;
  std::shared_ptr<Devices<Device>> devices_;
};

}  // namespace

std::unique_ptr<worker::Operation> make_line_operation(LineOperation operation) {
  return std::make_unique<Operation>(std::move(operation));
}

}  // namespace perfcheck::kit
