# SPDX-License-Identifier: Apache-2.0
# Builds and runs the consumers with the flags that pkg-config gives.
# cmake -D CC=.. -D CXX=.. -D PKG_CONFIG=.. -D PREFIX=.. -D LIBDIR=.. -D SOURCE=.. -D WORK=.. -P this
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig)
set(ENV{LD_LIBRARY_PATH} ${PREFIX}/${LIBDIR})
file(MAKE_DIRECTORY ${WORK})

function(flags_of result)
  execute_process(COMMAND ${PKG_CONFIG} ${ARGN} iotadnn OUTPUT_VARIABLE text
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${text}")
  set(${result} ${words} PARENT_SCOPE)
endfunction()

function(build_and_run name)
  execute_process(COMMAND ${ARGN} -o ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

flags_of(cflags --cflags)
flags_of(libs --libs ${STATIC_FLAG})
build_and_run(consumer_c ${CC} -std=c99 ${cflags} ${SOURCE}/consumer/consumer.c ${libs})
build_and_run(consumer_cpp ${CXX} -std=c++17 ${cflags} ${SOURCE}/example.cpp ${libs})
