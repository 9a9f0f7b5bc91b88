# SPDX-License-Identifier: MIT
"""A recipe for Conan 2, the library alone: conan create packaging/conan"""
import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, rm
from conan.tools.meson import Meson, MesonToolchain


class Tabia(ConanFile):
    name = "tabia"
    version = "0.1.0"
    description = "A transposition table that threads and processes share without locks"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "native": [True, False]}
    default_options = {"shared": False, "native": False}
    generators = ("PkgConfigDeps",)

    def export_sources(self):
        tree = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("meson.build", "meson_options.txt", "LICENSE", "include/*", "src/meson.build", "src/libtabia.map", "src/libtabia-cluster.map", "src/base/*",
                        "src/table/*", "packaging/*", "tools/manpages.py", "docs/libtabia.3"):
            copy(self, pattern, src=tree, dst=self.export_sources_folder)

    def validate(self):
        if self.settings.arch not in ("x86_64", "armv8") or self.settings.compiler == "msvc":
            raise ConanInvalidConfiguration("libtabia needs a 64-bit processor, and gcc or clang")

    def requirements(self):
        self.requires("xxhash/[>=0.8 <1]", visible=False)

    def generate(self):
        toolchain = MesonToolchain(self)
        toolchain.project_options["programs"] = False
        toolchain.project_options["portable"] = not self.options.native
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()
        rm(self, "libtabia.a" if self.options.shared else "libtabia.so*", self.package_folder, recursive=True)
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["tabia"]
        self.cpp_info.set_property("cmake_file_name", "tabia")
        self.cpp_info.set_property("cmake_target_name", "tabia::tabia")
        self.cpp_info.set_property("pkg_config_name", "tabia")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
