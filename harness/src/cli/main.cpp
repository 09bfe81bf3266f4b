// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/cli/app.h"

int main(int argc, char** argv) { return perfcheck::cli::run(argc, argv); }
