# Functions that all of UFP4's CMake files share.

# What is installed for users of C++ (docs/aot.md says how to use it) belongs to the component
# `development`; the Python package takes none of it.
set(UFP4_INSTALL_CMAKE_DIR lib/cmake/UFP4)

# Installs a library for find_package(UFP4), as UFP4::X where the target is UFP4X.
function(ufp4_install_library name)
  string(REGEX REPLACE "^UFP4" "" exported ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${exported})
  target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:include>)
  install(TARGETS ${name} EXPORT UFP4Targets ARCHIVE DESTINATION lib COMPONENT development)
  set_property(GLOBAL APPEND PROPERTY UFP4_INSTALLED_LIBRARIES ${exported})
endfunction()

# ufp4_add_library(NAME sources... [DEPENDS targets...] [LINK_LIBS libraries...] [INTERNAL])
# adds one room's static library, which is installed unless it is INTERNAL; every room links against
# LLVM's shared libraries alone.
function(ufp4_add_library name)
  cmake_parse_arguments(ARG "INTERNAL" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  ufp4_compile_options(${name})
  if(NOT ARG_INTERNAL)
    ufp4_install_library(${name})
  endif()
endfunction()

function(ufp4_add_tool name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  ufp4_compile_options(${name})
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "${LLVM_LIBRARY_DIR}")
  install(TARGETS ${name} EXPORT UFP4Targets RUNTIME DESTINATION bin COMPONENT tools)
endfunction()

# LLVM is built without RTTI and exceptions, and one precompiled header serves every target.
function(ufp4_compile_options target)
  target_compile_options(${target} PRIVATE -fno-rtti -fno-exceptions -Wall -Wextra
    -Wno-unused-parameter -Wno-missing-field-initializers)
  if(UFP4_ENABLE_PCH)
    if(NOT TARGET ufp4_pch)
      file(WRITE ${CMAKE_BINARY_DIR}/pch/empty.cpp.in "")
      configure_file(${CMAKE_BINARY_DIR}/pch/empty.cpp.in ${CMAKE_BINARY_DIR}/pch/empty.cpp COPYONLY)
      add_library(ufp4_pch OBJECT ${CMAKE_BINARY_DIR}/pch/empty.cpp)
      target_compile_options(ufp4_pch PRIVATE -fPIC -fno-rtti -fno-exceptions -Wall -Wextra
        -Wno-unused-parameter -Wno-missing-field-initializers)
      target_precompile_headers(ufp4_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)
      if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
        target_compile_options(ufp4_pch PRIVATE -fpch-instantiate-templates)
      endif()
    endif()
    # Executables would compile as -fPIE, which is another precompiled header.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      target_compile_options(${target} PRIVATE -fpch-instantiate-templates)
    endif()
    target_precompile_headers(${target} REUSE_FROM ufp4_pch)
  endif()
endfunction()
