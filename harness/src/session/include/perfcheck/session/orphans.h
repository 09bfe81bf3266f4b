// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds processes that a worker started and left behind. In a session of their own, they are outside of its process
// group, and would use the cores or the device while others are timed, and even after perfcheck has ended.
#pragma once

namespace perfcheck::session {

/// While it exists, processes whose parents have ended become children of this one (PR_SET_CHILD_SUBREAPER), so that
/// they can be found. For programs whose children are all started as ChildProcess; one object at a time.
class OrphanKeeper {
 public:
  OrphanKeeper();
  ~OrphanKeeper();
  OrphanKeeper(OrphanKeeper const&) = delete;
  OrphanKeeper& operator=(OrphanKeeper const&) = delete;
};

}  // namespace perfcheck::session
