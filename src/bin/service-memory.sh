# Sourced: what keeps the memory of the service small. Its scans read bodies of megabytes that live for a moment.

# MiB of each semi-space: new objects are collected after fewer of them, and the bytes of bodies that they hold with them.
service_flags='--max-semi-space-size=4'
# Old objects are collected first at 32 MiB, and then whenever there are two fifths more than were alive the last time: while memory is
# free, V8 would let them grow to four times as many.
service_flags="$service_flags --initial-old-space-size=32 --heap-growing-percent=40"
# V8 keeps every page that its heap ever needed until it is calm for eight seconds, which a service seldom is: half a second will do.
service_flags="$service_flags --gc-memory-reducer-start-delay-ms=500"

# glibc: buffers of 64 KiB and more go back to the system as soon as they are freed. Otherwise its threshold rises with the first large
# one, and those after it leave holes in the heap that it keeps. Threads share two arenas instead of eight a processor.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}" MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
