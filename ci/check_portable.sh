#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks that programs are portable: that they need nothing of the machine but libc and, if they use CUDA, cuBLAS. (The
# driver is loaded at run time.) Prints the oldest glibc that will do. A test of the preset portable calls it.
#
# Usage: ci/check_portable.sh PROGRAM...
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
((${#arguments[@]})) || { say "name the programs to look at"; exit 64; }

allowed='^(lib(c|m|dl|rt|pthread|mvec)\.so\.[0-9]+|ld-linux[-_a-z0-9]*\.so\.[0-9]+|libcublas(Lt)?\.so\.[0-9]+)$'
bad=0
for program in "${arguments[@]}"; do
  needed=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]$/\1/p') || true
  [[ -n $needed ]] || die "$program: not a program that readelf can read"
  while read -r library; do
    [[ $library =~ $allowed ]] && continue
    say "$program needs $library, which a bare machine lacks; link it statically"
    bad=1
  done <<< "$needed"
  version=$(readelf --wide --dyn-syms "$program" | grep -oE '@GLIBC_[0-9.]+' | sort -Vu | tail -n 1)
  say "$program needs glibc ${version#@GLIBC_} or newer"
done
exit "$bad"
