# Called by CPack when all is installed below CPACK_TEMPORARY_INSTALL_DIRECTORY, before a
# package is made of it: Debian wants manual pages and changelogs compressed, without
# the time of it.
if(CPACK_GENERATOR STREQUAL DEB)
  set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
  file(GLOB texts ${share}/man/man1/*.1 ${share}/doc/sdca/changelog)
  execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
endif()
