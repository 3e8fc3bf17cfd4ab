# What `cmake --install` gives users of C++ beside the libraries and the tools: headers, generated
# ones among them, the .td files, and the package that find_package(UFP4) reads.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ufp4 DESTINATION include COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/ufp4 DESTINATION include COMPONENT development
  FILES_MATCHING PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)

get_property(UFP4_INSTALLED_LIBRARIES GLOBAL PROPERTY UFP4_INSTALLED_LIBRARIES)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/UFP4Config.cmake.in ${PROJECT_BINARY_DIR}/UFP4Config.cmake
  INSTALL_DESTINATION ${UFP4_INSTALL_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
# Until 1.0, each minor version may change what the libraries offer.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/UFP4ConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/UFP4Config.cmake ${PROJECT_BINARY_DIR}/UFP4ConfigVersion.cmake
  DESTINATION ${UFP4_INSTALL_CMAKE_DIR} COMPONENT development)
install(EXPORT UFP4Targets NAMESPACE UFP4:: DESTINATION ${UFP4_INSTALL_CMAKE_DIR}
  COMPONENT development)
