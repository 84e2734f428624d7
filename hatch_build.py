"""Builds the sight kernel into the package, with `cc` or else `zig`; without either the program works without it.

For another platform than this one: KERNEL_TARGET is zig's name of it ("aarch64-linux-musl"), KERNEL_PLATFORM the
wheel's ("musllinux_1_2_aarch64"). Then zig alone is asked, and a library that cannot be built is an error.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ("-O3", "-std=c11", "-fPIC", "-shared", "-fvisibility=hidden", "-ffp-contract=off")


class KernelHook(BuildHookInterface[Any]):
    """Compiles `engine/geometry/kernel/*.c` where that is possible."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        wanted, zig = os.environ.get("KERNEL_TARGET", ""), shutil.which("zig")
        compilers = [[found] for name in ("cc", "gcc", "clang") if (found := shutil.which(name))]
        compilers += [[zig, "cc"]] if zig else []
        folder = Path(self.root) / "engine" / "geometry" / "kernel"
        library = runpy.run_path(str(folder / "library.py"))
        target = folder / library["name_on"](wanted or sys.platform)
        target.unlink(missing_ok=True)
        sources = [str(folder / name) for name in library["SOURCES"] if name.endswith(".c")]
        made_of = f'-DSOURCE="{library["source_hash"](folder)}"'
        for compiler in [[zig or "zig", "cc", "-target", wanted, "-s"]] if wanted else compilers:
            command = [*compiler, *FLAGS, made_of, "-o", str(target), *sources, "-lm"]
            if subprocess.run(command, capture_output=not wanted, check=bool(wanted)).returncode == 0:
                platform = os.environ.get("KERNEL_PLATFORM") or sysconfig.get_platform()
                build_data["artifacts"].append(str(target.relative_to(self.root)))
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"
                break
