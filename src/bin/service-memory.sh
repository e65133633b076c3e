# Sourced. Flags that keep the service's memory small: its scans read short-lived bodies of megabytes.

# MiB of each semi-space. A small one is collected more often, which frees the bodies that its objects refer to.
service_flags='--max-semi-space-size=4'
# Old objects are first collected at 32 MiB, then whenever they have grown by 40 percent. By default, V8 lets them grow fourfold while
# memory is free.
service_flags="$service_flags --initial-old-space-size=32 --heap-growing-percent=40"
# V8 releases unused heap pages after the program has been idle for this long, by default for eight seconds. A service rarely is.
service_flags="$service_flags --gc-memory-reducer-start-delay-ms=500"

# glibc returns buffers of 64 KiB and more to the system as soon as they are freed. Without a fixed threshold, glibc raises it with
# the first large buffer, and later ones fragment the heap. Threads share two arenas instead of eight per processor.
export MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}" MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
