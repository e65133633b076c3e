# Sourced: what keeps the memory of the service small. Its scans read bodies of megabytes that live for a moment.

# MiB of each semi-space: new objects are collected after fewer of them, and the bytes of bodies that they hold with them.
service_flags='--max-semi-space-size=4'

# glibc: buffers of 64 KiB and more go back to the system as soon as they are freed. Otherwise its threshold rises with the first large
# one, and those after it leave holes in the heap that it keeps. Threads share two arenas instead of eight a processor.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}" MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
