/* Put in front of the allocation functions of a process by its loader (LD_PRELOAD,
 * DYLD_INSERT_LIBRARIES): lets one allocation fail, of those that one thread makes in periods that
 * it begins and ends itself. All others go where they went before. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

/* One thread counts at a time. Not thread-local: the first use of such a variable may allocate. */
static atomic_int is_counting;
static pthread_t counting_thread;
static uint64_t counted;
static uint64_t failing; /* the number of the allocation that fails, from 1; 0: none */

/* Lets the allocation `number` from now on fail, and counts from 0. */
EXPORTED void switchyard_failing_allocations_arm(uint64_t number) {
  counted = 0;
  failing = number;
}

EXPORTED void switchyard_failing_allocations_begin(void) {
  counting_thread = pthread_self();
  atomic_store_explicit(&is_counting, 1, memory_order_release);
}

EXPORTED void switchyard_failing_allocations_end(void) {
  atomic_store_explicit(&is_counting, 0, memory_order_release);
}

/* Those since `arm`, the failed one among them. */
EXPORTED uint64_t switchyard_failing_allocations_count(void) { return counted; }

static int fails(void) {
  if (!atomic_load_explicit(&is_counting, memory_order_acquire)) return 0;
  if (!pthread_equal(pthread_self(), counting_thread)) return 0;
  return ++counted == failing;
}

#ifdef __APPLE__

#define REPLACED(name) replaced_##name
#define REAL(name) name

#else

/* glibc's own, which need no lookup that might allocate. */
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* pointer, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* pointer);

#define REPLACED(name) name
#define REAL(name) __libc_##name

#endif

static void* want(void) {
  errno = ENOMEM;
  return NULL;
}

EXPORTED void* REPLACED(malloc)(size_t size) { return fails() ? want() : REAL(malloc)(size); }

EXPORTED void* REPLACED(calloc)(size_t count, size_t size) {
  return fails() ? want() : REAL(calloc)(count, size);
}

EXPORTED void* REPLACED(realloc)(void* pointer, size_t size) {
  return size != 0 && fails() ? want() : REAL(realloc)(pointer, size);
}

#ifdef __APPLE__

static void* replaced_aligned_alloc(size_t alignment, size_t size) {
  return fails() ? want() : aligned_alloc(alignment, size);
}

static int replaced_posix_memalign(void** pointer, size_t alignment, size_t size) {
  return fails() ? ENOMEM : posix_memalign(pointer, alignment, size);
}

#define INTERPOSE(name)                                                      \
  __attribute__((used, section("__DATA,__interpose"))) static const struct { \
    const void *replacement, *original;                                      \
  } interpose_##name = {(const void*)(uintptr_t)&replaced_##name, (const void*)(uintptr_t)&name}
INTERPOSE(malloc);
INTERPOSE(calloc);
INTERPOSE(realloc);
INTERPOSE(aligned_alloc);
INTERPOSE(posix_memalign);

#else

/* Of another allocator, which a plugin may bring along, it would free what is glibc's here. */
EXPORTED void free(void* pointer) { __libc_free(pointer); }

EXPORTED void* memalign(size_t alignment, size_t size) {
  return fails() ? want() : __libc_memalign(alignment, size);
}

EXPORTED void* aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

EXPORTED int posix_memalign(void** pointer, size_t alignment, size_t size) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return EINVAL;
  }
  void* const memory = fails() ? NULL : __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *pointer = memory;
  return 0;
}

#endif
