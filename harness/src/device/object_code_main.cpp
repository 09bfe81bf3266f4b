// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck-object-code: writes what the compiler made of kernels' files as C++ source for the worker that holds them.
// perfcheck_add_worker() runs it, with objects in the order of the sources, as CMake lists them.
//
//   perfcheck-object-code OUTPUT [--kernels SOURCE... --objects OBJECT...]...
//
// Objects after those of kernels are helpers, which kernels of their set may call.
#include "object_code.h"

#include "perfcheck/model/digest.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using perfcheck::device::ObjectCode;

/// One set of kernels.
struct KernelSet {
  std::vector<std::string> sources, objects;
};

std::vector<KernelSet> sets_of(std::vector<std::string> const& arguments) {
  std::vector<KernelSet> sets;
  std::vector<std::string> KernelSet::* list = nullptr;
  for (std::string const& argument : arguments) {
    if (argument == "--kernels") {
      sets.emplace_back();
      list = &KernelSet::sources;
    } else if (argument == "--objects" && !sets.empty()) {
      list = &KernelSet::objects;
    } else if (list != nullptr) {
      (sets.back().*list).push_back(argument);
    } else {
      throw std::invalid_argument(argument + ": --kernels must come first");
    }
  }
  return sets;
}

ObjectCode read(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> const bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.good() && !file.eof()) throw std::runtime_error(path + ": cannot be read");
  return perfcheck::device::object_code(bytes);
}

std::string helpers_of(KernelSet const& set) {
  perfcheck::model::Digest digest;
  for (std::size_t i = set.sources.size(); i < set.objects.size(); ++i) {
    ObjectCode const code = read(set.objects[i]);
    digest.add(code.machine_code);
    digest.add(code.constants);
  }
  return set.objects.size() > set.sources.size() ? digest.text() : "";
}

/// A C++ string literal of a path.
std::string quoted(std::string const& text) {
  std::string literal = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::string entries_of(KernelSet const& set) {
  std::string const helpers = helpers_of(set);
  std::string entries;
  for (std::size_t i = 0; i < set.sources.size(); ++i) {
    std::string const name = std::filesystem::path(set.sources[i]).filename().string();
    std::string const object = i < set.objects.size() ? std::filesystem::path(set.objects[i]).filename().string() : "";
    if (!object.starts_with(name)) {
      throw std::runtime_error(
          fmt::format("{} was compiled into \"{}\"; give each kernel's object in its place, and "
                      "compile kernels without UNITY_BUILD",
                      set.sources[i], object));
    }
    ObjectCode const code = read(set.objects[i]);
    entries += fmt::format("      {{{}, \"{}\", \"{}\", \"{}\"}},\n", quoted(set.sources[i]), code.machine_code,
                           helpers, code.constants);
  }
  return entries;
}

void write(std::string const& path, std::vector<KernelSet> const& sets) {
  std::string text =
      "// Written by perfcheck-object-code, which perfcheck_add_worker() runs.\n"
      "#include \"perfcheck/worker/worker.h\"\n\n"
      "std::vector<perfcheck::worker::KernelObject> perfcheck::worker::kernel_objects() {\n"
      "  return {\n";
  for (KernelSet const& set : sets) text += entries_of(set);
  text += "  };\n}\n";
  std::ofstream file(path);
  file << text << std::flush;
  if (!file) throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> const arguments(argv + 1, argv + argc);
    if (arguments.empty()) throw std::invalid_argument("name the file to write");
    write(arguments.front(), sets_of({arguments.begin() + 1, arguments.end()}));
    return 0;
  } catch (std::exception const& error) {
    fmt::print(stderr, "perfcheck-object-code: {}\n", error.what());
    return 2;
  }
}
