// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// One of many writers: perfcheck_history_writer PLACE WRITER RUNS. Prints "ready", waits for a line, opens the history,
// prints "open", adds its runs, and prints the id of each once the history has acknowledged it.
#include "perfcheck/history/history.h"
#include "runs.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
  namespace history = perfcheck::history;
  if (argc != 4) {
    std::cerr << "usage: perfcheck_history_writer PLACE WRITER RUNS\n";
    return 64;
  }
  int const writer = std::atoi(argv[2]);
  int const runs = std::atoi(argv[3]);
  std::string line;
  std::cout << "ready" << std::endl;
  std::getline(std::cin, line);
  try {
    history::History store(argv[1], history::Mode::write);
    std::cout << "open" << std::endl;
    for (int index = 0; index < runs; ++index) {
      store.add(history::testing::numbered_run(writer, index), std::nullopt);
      std::cout << history::testing::run_id(writer, index) << std::endl;
    }
  } catch (std::exception const& error) {
    std::cerr << error.what() << std::endl;
    return 1;
  }
  return 0;
}
