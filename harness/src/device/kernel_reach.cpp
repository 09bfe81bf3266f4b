// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_reach.h"

#include "perfcheck/model/digest.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace perfcheck::device {
namespace {

constexpr std::string_view kCode = ".text.";
constexpr std::string_view kConstantMemory = ".nv.constant3";
/// Prefix of the name of a bank of constants. A function's own bank is called ".nv.constant2" + "." + its name. Bank 0
/// holds arguments, which are filled in with each launch.
constexpr std::string_view kConstants = ".nv.constant";

bool is_code(ElfSection const& section) { return section.name.starts_with(kCode); }

/// The owner of a bank of constants: a function's name, or "" for the whole module; nothing for other sections and for
/// arguments.
std::optional<std::string_view> owner_of_bank(std::string_view section) {
  if (!section.starts_with(kConstants)) return std::nullopt;
  section.remove_prefix(kConstants.size());
  auto const digits = std::min(section.find_first_not_of("0123456789"), section.size());
  if (digits == 0 || section.substr(0, digits) == "0") return std::nullopt;
  section.remove_prefix(digits);
  if (section.empty()) return section;
  return section.starts_with('.') ? std::optional(section.substr(1)) : std::nullopt;
}

std::string_view as_text(Bytes bytes) { return {reinterpret_cast<char const*>(bytes.data()), bytes.size()}; }

}  // namespace

std::string hash_of(Bytes bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (auto const byte : bytes) hash = (hash ^ byte) * 0x100000001b3ULL;
  return fmt::format("{:016x}", hash);
}

/// Walks from one function to everything that it refers to, in the order of discovery. Names and numbers of symbols and
/// sections do not enter the hashes, because they change with the rest of the file; nor do the places in the code that
/// refer to something, because they change with the code.
class ReachWalk {
 public:
  explicit ReachWalk(Cubin const& cubin) : cubin_(cubin), image_(cubin.image_) {}

  Cubin::Reach from(std::size_t section) {
    meet_code(section);
    for (std::size_t const bank : cubin_.banks_of("")) look_at_bank(bank);
    for (std::size_t next = 0; next < codes_.size(); ++next) look_at_code(codes_[next], next == 0);
    for (std::size_t next = 0; next < objects_.size(); ++next) look_at_object(objects_[next], next);
    if (!cubin_.calls_.is_known() && codes_.size() > 1) add_all_code();
    return {calls_any_ ? called_.text() : std::string(), data_.text()};
  }

 private:
  struct Object {
    std::size_t section;
    std::uint64_t begin, size;
  };

  void meet_code(std::size_t section) {
    if (seen_codes_.insert(section).second) codes_.push_back(section);
  }

  /// Returns its number in the order in which objects were met.
  std::size_t meet_object(Object const& object) {
    auto const [known, is_new] = seen_objects_.emplace(std::pair(object.section, object.begin), objects_.size());
    if (is_new) objects_.push_back(object);
    return known->second;
  }

  void look_at_code(std::size_t section, bool is_start) {
    ElfSection const& code = image_.sections()[section];
    if (!is_start) call(hash_of(code.contents));
    for (std::size_t const bank : cubin_.banks_of(code.name.substr(kCode.size()))) look_at_bank(bank);
    for (ElfRelocation const& relocation : image_.relocations_of(section)) {
      ElfSymbol const& symbol = image_.symbols()[relocation.symbol];
      if (is_code_of(symbol)) {
        meet_code(symbol.section);
      } else if (auto const object = object_of(symbol)) {
        meet_object(*object);
      }
    }
    meet_called(cubin_.calls_.called_by(section));
    if (!cubin_.calls_.calls_through_pointers(section)) return;
    if (cubin_.calls_.pointed_to().empty()) add_all_code();
    meet_called(cubin_.calls_.pointed_to());
  }

  /// In an order that does not depend on the symbols' numbers.
  void meet_called(std::vector<std::size_t> const& symbols) {
    std::multimap<std::string, std::size_t> sections;
    std::set<std::string_view> provided;
    for (std::size_t const number : symbols) {
      ElfSymbol const& called = image_.symbols()[number];
      if (is_code_of(called)) {
        sections.emplace(hash_of(image_.sections()[called.section].contents), called.section);
      } else {
        provided.insert(called.name);
      }
    }
    for (auto const& [hash, section] : sections) meet_code(section);
    for (auto const name : provided) call(fmt::format("the driver's {}", name));
  }

  void look_at_bank(std::size_t section) {
    ElfSection const& bank = image_.sections()[section];
    // Constant memory is hashed when a launch is recorded.
    if (bank.name != kConstantMemory) add_data("bank", bank.size, bank.contents);
    refer("bank", section, 0, bank.size);
  }

  void look_at_object(Object object, std::size_t number) {
    std::string const name = fmt::format("object {}", number);
    add_data(name, object.size, part(image_.sections()[object.section].contents, object.begin, object.size));
    refer(name, object.section, object.begin, object.size);
  }

  /// Adds what the addresses in some data refer to.
  void refer(std::string const& from, std::size_t section, std::uint64_t begin, std::uint64_t size) {
    for (ElfRelocation const& relocation : image_.relocations_of(section)) {
      if (relocation.offset < begin || relocation.offset - begin >= size) continue;
      ElfSymbol const& symbol = image_.symbols()[relocation.symbol];
      std::string target;
      if (is_code_of(symbol)) {
        target = hash_of(image_.sections()[symbol.section].contents);
      } else if (auto const object = object_of(symbol)) {
        target = fmt::format("object {}", meet_object(*object));
      }
      data_.add(fmt::format("{} at {} {} + {}", from, relocation.offset - begin, target, relocation.addend));
    }
  }

  bool is_code_of(ElfSymbol const& symbol) const {
    return symbol.section != 0 && is_code(image_.sections()[symbol.section]);
  }

  /// Empty for what the driver provides, and for constants, which are hashed in any case.
  std::optional<Object> object_of(ElfSymbol const& symbol) const {
    if (symbol.section == 0 || owner_of_bank(image_.sections()[symbol.section].name)) return std::nullopt;
    if (symbol.type == STT_SECTION) return Object{symbol.section, 0, image_.sections()[symbol.section].size};
    return Object{symbol.section, symbol.value, symbol.size};
  }

  void add_all_code() {
    if (std::exchange(has_all_code_, true)) return;
    std::vector<std::string> hashes;
    for (Cubin::Function const& function : cubin_.functions()) hashes.push_back(cubin_.code_hash(function.section));
    std::sort(hashes.begin(), hashes.end());
    for (std::string const& hash : hashes) call(hash);
  }

  void add_data(std::string const& what, std::uint64_t size, Bytes bytes) {
    data_.add(fmt::format("{} of {} with {}", what, size, bytes.size()));
    data_.add(as_text(bytes));
  }
  void call(std::string const& what) {
    called_.add(what);
    calls_any_ = true;
  }

  Cubin const& cubin_;
  ElfImage const& image_;
  model::Digest called_, data_;
  bool calls_any_ = false, has_all_code_ = false;
  std::vector<std::size_t> codes_;
  std::vector<Object> objects_;
  std::set<std::size_t> seen_codes_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> seen_objects_;
};

Cubin::Cubin(Bytes image) : image_(image), calls_(image_) {
  for (std::size_t i = 0; i < image_.sections().size(); ++i) {
    ElfSection const& section = image_.sections()[i];
    if (is_code(section) && section.type != SHT_NOBITS) {
      functions_.push_back({std::string(section.name.substr(kCode.size())), i});
    } else if (auto const owner = owner_of_bank(section.name)) {
      banks_[*owner].push_back(i);
    }
  }
  // Makes the order independent of the linker's.
  auto const by_name = [&](std::size_t one, std::size_t other) {
    return image_.sections()[one].name < image_.sections()[other].name;
  };
  for (auto& [owner, banks] : banks_) std::sort(banks.begin(), banks.end(), by_name);
}

std::vector<std::size_t> const& Cubin::banks_of(std::string_view function) const {
  static std::vector<std::size_t> const none;
  auto const found = banks_.find(function);
  return found == banks_.end() ? none : found->second;
}

Cubin::Reach Cubin::reach_of(std::size_t section) const { return ReachWalk(*this).from(section); }

Bytes Cubin::constant_memory() const {
  auto const section = image_.find(kConstantMemory);
  return section ? image_.sections()[*section].contents : Bytes();
}

std::vector<Cubin::Variable> Cubin::constants() const {
  std::vector<Variable> variables;
  auto const section = image_.find(kConstantMemory);
  for (ElfSymbol const& symbol : image_.symbols()) {
    if (section && symbol.section == *section && symbol.type == STT_OBJECT) {
      variables.push_back({std::string(symbol.name), symbol.value, symbol.size});
    }
  }
  return variables;
}

std::vector<std::uint64_t> Cubin::addresses_in_constants() const {
  std::vector<std::uint64_t> offsets;
  if (auto const section = image_.find(kConstantMemory)) {
    for (ElfRelocation const& relocation : image_.relocations_of(*section)) offsets.push_back(relocation.offset);
  }
  return offsets;
}

}  // namespace perfcheck::device
