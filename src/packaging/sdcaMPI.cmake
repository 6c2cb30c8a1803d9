# Which MPI has find_package(MPI) found? SDCA_MPI_NAME is openmpi or mpich, which stands for all
# its relatives too. CMakeLists.txt includes this file, and so does the installed
# sdcaConfig.cmake.
include(CheckSymbolExists)

unset(SDCA_IS_OPEN_MPI CACHE) # of another MPI, if this directory was configured before
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
set(CMAKE_REQUIRED_QUIET TRUE)
check_symbol_exists(OPEN_MPI mpi.h SDCA_IS_OPEN_MPI)
unset(CMAKE_REQUIRED_QUIET)
unset(CMAKE_REQUIRED_LIBRARIES)
if(SDCA_IS_OPEN_MPI)
  set(SDCA_MPI_NAME openmpi)
else()
  set(SDCA_MPI_NAME mpich)
endif()
