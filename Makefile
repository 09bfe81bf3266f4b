# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Short names for the most common tasks. The scripts ci/*.sh do the work; they can be run by hand, and each has --help.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help perfcheck run_perfcheck report test setup doctor format lint clean
export PERFCHECK_CUDA PERFCHECK_PRESET PERFCHECK_JOBS

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' Makefile | expand -t 18
	@printf '%s\n' '' 'PERFCHECK_ARGS="..."    arguments for perfcheck check: PERFCHECK_ARGS="--suite smoke"' \
	  'REPORT_ARGS="..."       arguments for perfcheck report: REPORT_ARGS="--history perf.sqlite --site public"' \
	  'TEST_ARGS="..."         arguments for ctest: TEST_ARGS="-R Decide"' \
	  'PERFCHECK_CUDA=OFF      build without CUDA' \
	  'PERFCHECK_PRESET=NAME   a preset of CMakePresets.json: dev, cpu-only, asan, ci, portable'

perfcheck: run_perfcheck ## set up, build, check and time every kernel, compare with this device's baseline
	$(if $(filter 1,$(perfcheck_status)),@exit 1,+@exit $(perfcheck_status))

report: ## a page of the recorded history of this project's own kernels, for a browser
	@ci/report.sh $(REPORT_ARGS)

test: ## set up, build everything, run all tests this machine can run
	@ci/test.sh $(TEST_ARGS)

setup: ## install what a build needs and this machine lacks
	@ci/setup.sh

doctor: ## what on this machine will disturb measurements, and how to fix it
	@ci/doctor.sh

format: ## bring all source files into the project's format
	@ci/lint.sh --fix

lint: ## formatting, clang-tidy, shellcheck, licence headers
	@ci/lint.sh

clean: ## remove the build folders; .toolchain stays
	rm -rf build

# make turns every failed command into exit code 2, but "a kernel became slower" is 1, which scripts need to see. In
# make's question mode (-q), make exits with 1 if a recipe without + is due, while a recipe with + runs as usual. So the
# run stores its exit code in a file, and the recipe of `perfcheck` has a + or not, depending on it.
ifeq ($(MAKECMDGOALS),perfcheck)
MAKEFLAGS += -q
endif
perfcheck_status = $(or $(shell cat build/perfcheck.status),2)

run_perfcheck:
	+@mkdir -p build; rm -f build/perfcheck.status; \
	ci/perfcheck.sh -- $(PERFCHECK_ARGS); echo $$? > build/perfcheck.status
