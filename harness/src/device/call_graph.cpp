// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "call_graph.h"

#include "read_at.h"

namespace perfcheck::device {
namespace {

/// The marks of the parts, each with what the part's pairs are: callers and the functions that they call (kCalls);
/// functions whose address is taken, and their types (kPointedTo); callers through a pointer, and the types that they
/// call (kThroughPointers); none, at the end (kEnd).
enum Mark : std::uint32_t {
  kEnd = 0xfffffffc,
  kThroughPointers = 0xfffffffd,
  kPointedTo = 0xfffffffe,
  kCalls = 0xffffffff
};

}  // namespace

CallGraph::CallGraph(ElfImage const& image) {
  auto const section = image.find(".nv.callgraph");
  known_ = section && read(image.sections()[*section].contents, image.symbols());
}

bool CallGraph::read(Bytes contents, std::vector<ElfSymbol> const& symbols) {
  constexpr std::size_t kPair = 2 * sizeof(std::uint32_t);
  if (contents.empty() || contents.size() % kPair != 0) return false;
  std::uint32_t mark = 0;
  for (std::size_t at = 0; at < contents.size(); at += kPair) {
    std::uint32_t const first = *read_at<std::uint32_t>(contents, at);
    std::uint32_t const second = *read_at<std::uint32_t>(contents, at + sizeof(std::uint32_t));
    if (first == 0 && second >= kEnd) {
      mark = second;
      continue;
    }
    if (first >= symbols.size()) return false;
    if (mark == kCalls && second < symbols.size()) {
      calls_[symbols[first].section].push_back(second);
    } else if (mark == kPointedTo) {
      pointed_to_.push_back(first);
    } else if (mark == kThroughPointers) {
      through_pointers_.insert(symbols[first].section);
    } else {
      return false;
    }
  }
  return mark == kEnd;
}

std::vector<std::size_t> const& CallGraph::called_by(std::size_t section) const {
  static std::vector<std::size_t> const none;
  auto const found = calls_.find(section);
  return found == calls_.end() ? none : found->second;
}

}  // namespace perfcheck::device
