# Find the HDF5 that was built with the MPI that find_package(MPI) has found (sdcaMPI.cmake).
# CMakeLists.txt includes this file, and so does the installed sdcaConfig.cmake for the static
# library.
#
# Debian has one HDF5 for each MPI, each with a compiler wrapper h5pcc.MPI. A handle of
# Open MPI is the address of a variable ompi_mpi_*; one of MPICH and its relatives is a
# number. The symbols of a library therefore say which of the two it was compiled for.
set(HDF5_PREFER_PARALLEL TRUE)
if(NOT HDF5_ROOT AND NOT DEFINED ENV{HDF5_ROOT})
  find_program(HDF5_C_COMPILER_EXECUTABLE NAMES h5pcc.${SDCA_MPI_NAME} h5pcc h5cc NAMES_PER_DIR
               DOC "HDF5's compiler wrapper")
endif()
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "sdca needs a parallel HDF5 (Debian: libhdf5-${SDCA_MPI_NAME}-dev)")
endif()

set(symbols "")
foreach(library IN LISTS HDF5_C_LIBRARIES)
  if(TARGET ${library})
    get_target_property(library ${library} LOCATION)
  endif()
  if(EXISTS "${library}" AND library MATCHES hdf5)
    file(STRINGS "${library}" found REGEX ompi_mpi_ LIMIT_COUNT 1)
    list(APPEND symbols ${found})
    set(hdf5_library "${library}")
  endif()
endforeach()
if(hdf5_library AND SDCA_IS_OPEN_MPI AND NOT symbols)
  set(mismatch "is Open MPI, but ${hdf5_library} was built with another MPI")
elseif(hdf5_library AND symbols AND NOT SDCA_IS_OPEN_MPI)
  set(mismatch "is not Open MPI, but ${hdf5_library} was built with Open MPI")
else()
  set(mismatch "")
endif()
if(mismatch)
  message(FATAL_ERROR
"MPI (${MPI_C_LIBRARIES}) ${mismatch}.
Choose an HDF5 of this MPI with -D HDF5_ROOT=PREFIX (Debian: install libhdf5-${SDCA_MPI_NAME}-dev), \
or the MPI of this HDF5 with -D MPI_C_COMPILER=WRAPPER (Debian: mpicc.openmpi or mpicc.mpich), \
in a new build directory.")
endif()
