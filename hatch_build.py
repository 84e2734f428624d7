"""Builds the sight kernel into the package, with `cc` or else `zig`; without either the program works without it."""

from __future__ import annotations

import runpy
import shutil
import subprocess
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
        folder = Path(self.root) / "engine" / "geometry" / "kernel"
        library = runpy.run_path(str(folder / "library.py"))
        target = folder / library["NAME"]
        target.unlink(missing_ok=True)
        compilers = [[found] for name in ("cc", "gcc", "clang") if (found := shutil.which(name))]
        compilers += [[found, "cc"] for found in [shutil.which("zig")] if found]
        sources = [str(folder / name) for name in library["SOURCES"] if name.endswith(".c")]
        made_of = f'-DSOURCE="{library["source_hash"](folder)}"'
        for compiler in compilers:
            command = [*compiler, *FLAGS, made_of, "-o", str(target), *sources, "-lm"]
            if subprocess.run(command, capture_output=True, check=False).returncode == 0:
                build_data["artifacts"].append(str(target.relative_to(self.root)))
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
                break
