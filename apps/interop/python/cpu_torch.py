"""Lets the torch of the package index load on a Linux machine that has none of its CUDA libraries (3 GB less).

torch names those libraries as dependencies, so the loader wants a file for each. An empty library that torch ships
takes their place, and names in them are looked up when they are called: on a CPU, never. The small ones whose data
torch reads while it loads (cudart, nvshmem) are real. Elsewhere torch comes without CUDA and this does nothing.

Usage: cpu_torch.py, in the environment that has torch
"""

import shutil
import site
import subprocess
import sys
from pathlib import Path

CALLED_ON_A_GPU_ONLY = (
    "libcublas.so.13",
    "libcublasLt.so.13",
    "libcudnn.so.9",
    "libcufft.so.12",
    "libcufile.so.0",
    "libcupti.so.13",
    "libcusolver.so.12",
    "libcusparse.so.12",
    "libcusparseLt.so.0",
    "libnccl.so.2",
    "libnvrtc.so.13",
)

if sys.platform == "linux":
    packages = Path(site.getsitepackages()[0])
    libraries = packages / "torch" / "lib"
    if (libraries / "libtorch_cuda.so").exists():
        for name in CALLED_ON_A_GPU_ONLY:
            shutil.copy(libraries / "libtorch_global_deps.so", libraries / name)
        (packages / "lazy_symbols.pth").write_text("import os, sys; sys.setdlopenflags(os.RTLD_LAZY)\n")

subprocess.run([sys.executable, "-c", "import torch; torch.ones(2, 2) @ torch.ones(2, 2)"], check=True)
