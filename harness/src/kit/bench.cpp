// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/bench.h"

#include "input_change.h"

namespace perfcheck::kit {
namespace {

std::string with_occasion(std::string const& what, std::string const& occasion) {
  return what.empty() ? what : what + " (" + occasion + ")";
}

}  // namespace

Bench::Fingerprints Bench::fingerprints() {
  Fingerprints result{};
  for (Operand const& operand : contents_.inputs) {
    auto const& of = buffer(operand.number);
    result[static_cast<std::size_t>(operand.number)] =
        device_.engine->fingerprint(of.matrix().data, of.content_bytes());
  }
  return result;
}

void Bench::load(Contents const& contents) {
  if (loaded_ && contents_ == contents) return;
  loaded_ = false;
  overwritten_.clear();
  poisoned_.reset();
  contents_ = contents;
  inputs_ = Inputs();
  verify::Engine& engine = *device_.engine;
  for (std::size_t i = 0; i < contents_.inputs.size(); ++i) {
    Operand const& operand = contents_.inputs[i];
    verify::GuardedBuffer& of = buffer(operand.number);
    of.rename(operand.name);
    inputs_[operand.number] = of.place(device_.backend, engine, operand.shape);
    engine.fill(of.matrix(), contents_.fills[i]);
  }
  if (contents_.other) load_other();
  output_.rename(contents_.output.name);
  output_.place(device_.backend, engine, contents_.output.shape);
  fingerprints_ = fingerprints();
  loaded_ = true;
}

void Bench::load_other() {
  Operand const operand = contents_.other->operand();
  verify::GuardedBuffer& of = buffer(operand.number);
  of.rename(operand.name);
  other_ = {.first = of.place(device_.backend, *device_.engine, operand.shape), .operand = operand.number};
  inputs_[operand.number] = other_.first;
  contents_.other->renew(other_, {0, 1}, contents_.other_secret);
}

void Bench::overwrite(int input, std::int64_t row, std::int64_t column, double value) {
  verify::MatrixView const& matrix = inputs_[input];
  verify::Bits const bits = verify::encode(matrix.element, value);
  verify::Bits stored = 0;
  verify::store_bits(matrix.element, &stored, 0, bits);
  auto const bytes = static_cast<std::size_t>(verify::bytes_of(matrix.element, 1));
  device_.backend.copy_to_device(matrix.block(row, column, 1, 1).data, &stored, bytes);
  overwritten_.push_back({input, row, column, bits});
  fingerprints_ = fingerprints();
  loaded_ = false;
}

void Bench::poison(int input) {
  buffer(input).poison(*device_.engine);
  poisoned_ = input;
  fingerprints_ = fingerprints();
  loaded_ = false;
}

void Bench::place_workspace(std::size_t bytes) {
  auto const words = static_cast<std::int64_t>((bytes + 3) / 4);
  workspace_.place(device_.backend, *device_.engine,
                   {.data = nullptr,
                    .element = Element::f32,
                    .rows = words == 0 ? 0 : 1,
                    .columns = words,
                    .row_stride = words,
                    .column_stride = 1});
}

void Bench::launch(Launches& launches, std::size_t workspace_bytes, std::string const& occasion,
                   verify::CheckList& checks) {
  output_.poison(*device_.engine);
  place_workspace(workspace_bytes);
  launches.add({.inputs = inputs_,
                .output = output(),
                .workspace = workspace_.matrix().data,
                .workspace_bytes = workspace_bytes,
                .stream = device_.backend.stream()});
  launches.launch(0);
  device_.backend.check_launch();
  device_.backend.synchronize();
  look_around(launches, occasion, checks);
}

void Bench::look_around(Launches const& launches, std::string const& occasion, verify::CheckList& checks) {
  verify::Engine& engine = *device_.engine;
  std::string outside = output_.damage_around(engine);
  if (outside.empty()) outside = workspace_.damage_around(engine);
  for (Operand const& operand : contents_.inputs) {
    if (outside.empty()) outside = buffer(operand.number).damage_around(engine);
  }
  if (contents_.other && outside.empty()) outside = buffer(other_.operand).damage_around(engine);
  if (outside.empty()) outside = launches.damage_around();
  if (outside.empty()) outside = output_.damage_between_rows(engine);
  checks.note("guard_bands", with_occasion(outside, occasion));
  std::string changed;
  auto const now = fingerprints();
  for (std::size_t i = 0; i < contents_.inputs.size(); ++i) {
    auto const at = static_cast<std::size_t>(contents_.inputs[i].number);
    if (now[at] != fingerprints_[at] && changed.empty()) changed = describe_change(i);
  }
  if (changed.empty()) changed = launches.change();
  if (changed.empty() && contents_.other) changed = contents_.other->change(other_, {0, 1}, contents_.other_secret);
  checks.note("inputs_untouched", with_occasion(changed, occasion));
  if (!outside.empty() || !changed.empty()) loaded_ = false;
  fingerprints_ = now;
}

std::string Bench::describe_change(std::size_t index) {
  Operand const& operand = contents_.inputs[index];
  auto const& of = buffer(operand.number);
  if (auto const between = of.damage_between_rows(*device_.engine); !between.empty()) return between;
  bool const poisoned = poisoned_ == operand.number;
  auto expected = HostMatrix::filled(of.matrix(), poisoned ? nullptr : &contents_.fills[index]);
  for (auto const& overwritten : overwritten_) {
    if (overwritten.input == operand.number) expected.set(overwritten.row, overwritten.column, overwritten.bits);
  }
  return describe_input_change(device_.backend, operand.name, of.matrix(), expected);
}

}  // namespace perfcheck::kit
