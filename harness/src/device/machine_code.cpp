// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "machine_code.h"

#include "elf_image.h"
#include "kernel_reach.h"
#include "perfcheck/model/digest.h"
#include "read_at.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <set>
#include <utility>

namespace perfcheck::device {
namespace {

struct FatHeader {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t payload_bytes;
};

/// The leading fields of an entry; the rest of its header is skipped by header_bytes.
struct FatEntry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;
  std::uint32_t compressed_bytes, options_offset;
  std::uint16_t minor, major;
  std::uint32_t architecture;
};

constexpr std::uint32_t kFatMagic = 0xba55ed50;
constexpr std::uint16_t kKindElf = 2;

/// Code of kernels by name, one entry for each module that holds the kernel.
using KernelCodes = std::map<std::string, std::vector<KernelCode>>;

std::vector<std::shared_ptr<ConstantMemory const>> constants_of(Cubin const& cubin) {
  Bytes const contents = cubin.constant_memory();
  if (contents.empty()) return {};
  auto memory = std::make_shared<ConstantMemory>();
  memory->contents.assign(contents.begin(), contents.end());
  for (Cubin::Variable const& variable : cubin.constants()) {
    memory->variables.push_back({variable.name, variable.offset, variable.size});
  }
  memory->addresses = cubin.addresses_in_constants();
  return {std::move(memory)};
}

void read_cubin(Bytes image, std::uint32_t architecture, KernelCodes& codes) {
  Cubin const cubin(image);
  auto const constants = constants_of(cubin);
  for (Cubin::Function const& function : cubin.functions()) {
    auto const reach = cubin.reach_of(function.section);
    codes[fmt::format("{}:{}", architecture, function.name)].push_back(
        {.machine_code = cubin.code_hash(function.section),
         .called_code = reach.called,
         .data = reach.data,
         .constants = constants});
  }
}

/// Containers stand one behind the other, each aligned to 8 bytes.
void read_fat_binaries(Bytes section, KernelCodes& codes) {
  std::uint64_t at = 0;
  while (auto const header = read_at<FatHeader>(section, at)) {
    if (header->magic != kFatMagic || header->header_bytes < sizeof(FatHeader)) {
      at += 8;
      continue;
    }
    Bytes const entries = part(section, at + header->header_bytes, header->payload_bytes);
    std::uint64_t inside = 0;
    while (auto const entry = read_at<FatEntry>(entries, inside)) {
      if (entry->header_bytes < sizeof(FatEntry)) {
        break;
      }
      if (entry->kind == kKindElf) {
        read_cubin(part(entries, inside + entry->header_bytes, entry->payload_bytes), entry->architecture, codes);
      }
      if (entry->payload_bytes > entries.size()) {
        break;
      }
      inside += entry->header_bytes + entry->payload_bytes;
    }
    at += header->header_bytes + entries.size();
    at = (at + 7) / 8 * 8;
  }
}

std::string joined(std::set<std::string> const& hashes) {
  if (hashes.size() == 1) return *hashes.begin();
  model::Digest all;
  for (std::string const& hash : hashes) all.add(hash);
  return all.text();
}

/// Joins the code of one kernel from several modules, independently of the order in which the linker put them. Only
/// machine_code is that of the last module: it always was, and baselines hold it.
KernelCode joined(std::vector<KernelCode> const& codes) {
  std::set<std::string> called, data;
  std::map<std::string, std::shared_ptr<ConstantMemory const>> constants;  // by contents
  for (KernelCode const& code : codes) {
    called.insert(code.called_code);
    data.insert(code.data);
    for (auto const& memory : code.constants) {
      constants.emplace(std::string(memory->contents.begin(), memory->contents.end()), memory);
    }
  }
  KernelCode all{
      .machine_code = codes.back().machine_code, .called_code = joined(called), .data = joined(data), .constants = {}};
  for (auto const& [contents, memory] : constants) all.constants.push_back(memory);
  return all;
}

std::map<std::string, KernelCode> read_own_codes() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<std::uint8_t> const bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return kernel_codes(bytes);
}

}  // namespace

std::map<std::string, KernelCode> kernel_codes(Bytes elf_file) {
  KernelCodes read;
  ElfImage const image(elf_file);
  for (ElfSection const& section : image.sections()) {
    if (section.name == ".nv_fatbin") {
      read_fat_binaries(section.contents, read);
    }
  }
  std::map<std::string, KernelCode> codes;
  for (auto const& [name, of_modules] : read) codes.emplace(name, joined(of_modules));
  return codes;
}

KernelCode const* own_kernel_code(std::string_view mangled_name, int binary_version) {
  static std::map<std::string, KernelCode> const own = read_own_codes();
  auto const found = own.find(fmt::format("{}:{}", binary_version, mangled_name));
  return found == own.end() ? nullptr : &found->second;
}

}  // namespace perfcheck::device
