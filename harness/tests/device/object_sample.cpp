// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Compiled several times, each with one thing changed, for object_code_test.cpp.
#ifdef SAMPLE_LINES
#line 5000
#endif
#ifndef SAMPLE_SUMMARY
#define SAMPLE_SUMMARY "as it is"
#endif
#ifndef SAMPLE_FACTOR
#define SAMPLE_FACTOR 1.25
#endif
#ifndef SAMPLE_TABLE
#define SAMPLE_TABLE 3.0
#endif
#ifndef SAMPLE_CALLEE
#define SAMPLE_CALLEE first
#endif

extern "C" double first(double value);
extern "C" double second(double value);
extern void const* head;

namespace {

/// Registers itself before main(), as kernels do, with its line number. It takes code at run time, since the head of
/// the list is not known at compile time.
struct Registration {
  Registration(char const* text, int where) noexcept : summary(text), line(where), next(head) { head = this; }
  char const* summary;
  int line;
  void const* next;
};

double const kTable[] = {1.0, 2.0, SAMPLE_TABLE, 4.0};

#ifdef SAMPLE_INNER
__attribute__((noinline)) double inner(double value) { return value * value + 1; }
#else
__attribute__((noinline)) double inner(double value) { return value * value; }
#endif

}  // namespace

Registration registration(SAMPLE_SUMMARY, __LINE__);

double kernel(double value, int index) { return SAMPLE_CALLEE(inner(value) * SAMPLE_FACTOR) + kTable[index & 3]; }
