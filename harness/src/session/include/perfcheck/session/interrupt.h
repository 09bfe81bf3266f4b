// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C and SIGTERM as something that waiting code can watch.
#pragma once

namespace perfcheck::session {

/// Thrown by waiting code once an interrupt was raised; everything on the way up cleans up through destructors.
struct Interrupted {
  int signal;
};

/// Installs handlers for SIGINT, SIGTERM and SIGHUP for its lifetime (one instance per process; cli owns it; a second
/// one throws std::logic_error). A signal that is ignored at the start, as under nohup, stays ignored.
/// Code that waits polls fd() beside its own descriptors; it becomes readable once a signal came.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(Interrupt const&) = delete;
  Interrupt& operator=(Interrupt const&) = delete;

  int fd() const;
  bool raised() const;
  int signal() const;  ///< the first signal that came, 0 before
  /// To be called between the steps of long work; throws Interrupted.
  void throw_if_raised() const;
};

}  // namespace perfcheck::session
