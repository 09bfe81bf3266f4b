# shellcheck shell=bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by ci/setup.sh: finds or installs a CUDA toolkit and makes .toolchain/cuda a link to it. What CMake and the
# other scripts use is .toolchain/cuda/bin/nvcc, nothing else.

oldest_cuda=12.8
# The toolkit to install if the machine has none, in the versions with which the published figures were measured.
wheel_toolkit_version=13.0.2
wheels=("cuda-toolkit[nvcc,cudart,cublas,crt,nvvm,cccl]==$wheel_toolkit_version" "nvidia-nvml-dev==13.0.87")
# Oldest driver that runs programs of that toolkit.
wheel_toolkit_driver=580

cuda_version_of() { "$1/bin/nvcc" --version 2> /dev/null | sed -n 's/.*release \([0-9]*\.[0-9]*\),.*/\1/p'; }

# Prints why the toolkit in folder $1 is unsuitable; prints nothing if it is suitable.
toolkit_problem() {
  local root=$1 version
  [[ -x $root/bin/nvcc ]] || { echo "no bin/nvcc"; return; }
  version=$(cuda_version_of "$root")
  [[ -n $version ]] || { echo "its nvcc does not run"; return; }
  printf '%s\n%s\n' "$oldest_cuda" "$version" | sort -C -V || { echo "CUDA $version is older than $oldest_cuda"; return; }
  compgen -G "$root/include/cublas_v2.h" > /dev/null || compgen -G "$root/targets/*/include/cublas_v2.h" > /dev/null ||
    { echo "CUDA $version without cuBLAS (no cublas_v2.h)"; return; }
  compgen -G "$root/lib*/libcublas.so" > /dev/null || compgen -G "$root/targets/*/lib/libcublas.so" > /dev/null ||
    echo "CUDA $version without cuBLAS (no libcublas.so)"
}

# The folder of the toolkit that an nvcc belongs to. An nvcc on PATH may be a wrapper script, so nvcc itself is asked.
toolkit_root_of() {
  local top
  top=$("$1" --dryrun none.cu 2>&1 | sed -n 's/^#\$ TOP=//p' || true)
  [[ -z $top ]] || realpath -q "$top" || true
}

candidate_toolkits() {
  local nvcc
  [[ -z ${CUDACXX:-} ]] || toolkit_root_of "$CUDACXX"
  [[ -z ${CUDA_HOME:-} ]] || printf '%s\n' "$CUDA_HOME"
  [[ ! -e .toolchain/cuda ]] || realpath .toolchain/cuda
  while read -r nvcc; do toolkit_root_of "$nvcc"; done < <(type -aP nvcc)
  compgen -G '/usr/local/cuda*' | sort -rV | xargs -r realpath || true
}

# install_wheel_toolkit TARGET SCRATCH
install_wheel_toolkit() {
  local target=$1 wheel_site=$2/wheels library problem
  local root=$wheel_site/nvidia/cu13
  say "CUDA: no usable toolkit on this machine; installing NVIDIA's wheels of CUDA $wheel_toolkit_version into $target (about 900 MB)"
  install_wheels "$wheel_site" "${wheels[@]}" ||
    die "could not install the CUDA toolkit. Give a toolkit with CUDACXX=/path/to/nvcc, or make a Python package index reachable, or build without CUDA: PERFCHECK_CUDA=OFF"
  # The wheels lack what linkers look for: the folder lib64 and library names without a version.
  ln -sfn lib "$root/lib64"
  for library in "$root"/lib/lib{cublas,cublasLt,cudart}.so.[0-9]*; do
    ln -sfn "${library##*/}" "${library%%.so.*}.so"
  done
  problem=$(toolkit_problem "$root")
  [[ -z $problem ]] || die "the installed CUDA wheels are not complete: $problem. Give a toolkit with CUDACXX=/path/to/nvcc"
  rm -rf "$target"
  mv -T "$root" "$target"
}

warn_about_old_driver() {
  local driver
  driver=$(sed -n 's/^NVRM version:.* \([0-9]\+\)\.[0-9.]\+ .*/\1/p' /proc/driver/nvidia/version 2> /dev/null || true)
  [[ -z $driver ]] || ((driver >= wheel_toolkit_driver)) ||
    say "CUDA: this machine's driver $driver is older than $wheel_toolkit_driver and will not run what is built; update it, or give an older toolkit (from $oldest_cuda) with CUDACXX"
}

# set_up_cuda SCRATCH
set_up_cuda() {
  local wheel_folder=.toolchain/cuda-$wheel_toolkit_version root problem
  while read -r root; do
    problem=$(toolkit_problem "$root")
    if [[ -z $problem ]]; then
      [[ $root -ef .toolchain/cuda ]] || point .toolchain/cuda "$root"
      say "CUDA: $(cuda_version_of "$root") in $root"
      return
    fi
    say "CUDA: $root will not do: $problem"
  done < <(candidate_toolkits | awk '!seen[$0]++')
  [[ -z $(toolkit_problem "$wheel_folder") ]] || install_wheel_toolkit "$wheel_folder" "$1"
  point .toolchain/cuda "${wheel_folder##*/}"
  warn_about_old_driver
  say "CUDA: $(cuda_version_of .toolchain/cuda) in $wheel_folder"
}
