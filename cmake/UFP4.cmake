# Functions that all of UFP4's CMake files share.

# ufp4_add_library(NAME sources... [DEPENDS targets...] [LINK_LIBS libraries...])
# adds one room's static library; every room links against LLVM's shared libraries alone.
function(ufp4_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  ufp4_compile_options(${name})
  set_property(GLOBAL APPEND PROPERTY UFP4_LIBRARIES ${name})
endfunction()

function(ufp4_add_tool name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  ufp4_compile_options(${name})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
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
