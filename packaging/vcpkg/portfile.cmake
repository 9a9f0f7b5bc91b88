# SPDX-License-Identifier: MIT
# A port for vcpkg: the library alone, of the linkage that the triplet asks for. Copy this folder to an overlay
# (vcpkg install tabia --overlay-ports=FOLDER) and have TABIA_SOURCE name the tree, or take a released archive by vcpkg_from_*.
if(NOT DEFINED ENV{TABIA_SOURCE})
  message(FATAL_ERROR "TABIA_SOURCE must name the tree of tabia ${VERSION}")
endif()
file(COPY "$ENV{TABIA_SOURCE}/" DESTINATION "${CURRENT_BUILDTREES_DIR}/source" PATTERN ".git" EXCLUDE PATTERN "build*" EXCLUDE)
vcpkg_configure_meson(SOURCE_PATH "${CURRENT_BUILDTREES_DIR}/source" OPTIONS -Dprograms=false -Dportable=true)
vcpkg_install_meson()
vcpkg_fixup_pkgconfig()
vcpkg_cmake_config_fixup(PACKAGE_NAME tabia CONFIG_PATH lib/cmake/tabia)
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  file(GLOB tabia_other "${CURRENT_PACKAGES_DIR}/lib/libtabia.so*" "${CURRENT_PACKAGES_DIR}/debug/lib/libtabia.so*")
else()
  set(tabia_other "${CURRENT_PACKAGES_DIR}/lib/libtabia.a" "${CURRENT_PACKAGES_DIR}/debug/lib/libtabia.a")
endif()
file(REMOVE ${tabia_other})
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "$ENV{TABIA_SOURCE}/LICENSE")
