// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history's SQLite file, any byte of it.
#include "support/history_file.h"
#include "support/property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static fuzz::HistoryFile const file;
  file.write(fuzz::text_of(data, size));
  fuzz::read_everything(file.path());
  return 0;
}
