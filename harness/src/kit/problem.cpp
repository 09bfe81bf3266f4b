// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/kit/problem.h"

#include "perfcheck/kit/sealed_case.h"
#include "perfcheck/kit/timed_case.h"

namespace perfcheck::kit {

model::CaseName Problem::reference(KernelInfo const& kernel) const {
  if (is_reference(kernel)) return {.kernel = kernel.id(), .problem = text()};
  KernelInfo const* chosen = nullptr;  // the first by id, because the order of registration depends on the linker
  for (auto const* other = KernelRegistration::first(); other != nullptr; other = other->next()) {
    KernelInfo const& info = other->info();
    if (!is_reference(info) || !concerns(info) || refusal(info)) continue;
    if (chosen == nullptr || info.id() < chosen->id()) chosen = &info;
  }
  return chosen == nullptr ? model::CaseName{} : model::CaseName{.kernel = chosen->id(), .problem = text()};
}

std::unique_ptr<worker::TimedCase> Problem::prepare(device::Backend& backend, KernelInfo const& kernel) {
  Device& device = this->device(backend);
  if (!inputs_ || backend_ != &backend) {
    inputs_.reset();  // first, so that old and new inputs need not fit into memory together
    int const sets = sets_for(*definition_, {.cache = device.cache_bytes,
                                             .hot = backend.hot_bytes(),
                                             .free = backend.free_bytes(),
                                             .reach = device.reach_bytes});
    inputs_ = std::make_shared<TimedInputs>(device, *definition_, sets);
    backend_ = &backend;
  }
  return make_timed_case(definition_, device, inputs_, proof(backend), kernel);
}

std::unique_ptr<worker::SealedCase> Problem::prepare_sealed(device::Backend& backend, KernelInfo const* kernel) {
  return definition_->can_be_sealed() ? make_sealed_case(definition_, device(backend), kernel) : nullptr;
}

std::unique_ptr<worker::SealedProof> Problem::prove_sealed(device::Backend& backend) {
  return definition_->can_be_sealed() ? make_sealed_proof(definition_, device(backend), proof(backend)) : nullptr;
}

}  // namespace perfcheck::kit
