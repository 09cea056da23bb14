/** @file
 * Switchyard's C API, version 0.1: models, tensors, ops and gradients for programs that are not
 * written in C++. It is a thin layer over the C++ API of <switchyard/switchyard.hpp>, which says in
 * more words what the calls do. This header is C99 and needs no other one of the project.
 *
 * Conventions, which hold wherever a comment does not say otherwise:
 *  1. A call that can fail returns a `swy_status*`: NULL is success, anything else says what went
 *     wrong and is released by the caller with swy_status_release. Out parameters, whose names
 *     start with `out_`, are written on success only. No exception crosses the boundary.
 *  2. Objects are opaque and counted. A call that gives one in an out parameter gives a reference
 *     that the caller releases; what is handed in is only used, and retained by the callee if it is
 *     needed longer: the caller may release it at once. Objects keep alive what they need: a
 *     tensor may outlive its device and its runtime. `_retain` and `_release` do nothing
 *     with NULL. Two pointers may stand for one thing, as what a call gives is a new reference,
 *     and often a new pointer: swy_tensor_is_same and swy_device_equal tell.
 *  3. No parameter may be NULL: that is a SWY_ERROR_INVALID_ARGUMENT that names it. An array of
 *     count 0, and the context of a callback, may be NULL.
 *  4. A struct starts with `struct_size`, which the caller sets to its sizeof before the call. A
 *     library knows the sizes of its own version and of the versions before it; any other is
 *     SWY_ERROR_INVALID_ARGUMENT. Structs grow only at their end. Elements of an array of structs
 *     are `struct_size` of its first element apart.
 *  5. Any thread may use any object, several at once too, but for these: a run belongs to one
 *     thread at a time, and what a second one calls on it during swy_run_execute is undefined;
 *     while one thread calls swy_tensor_assign, _set_requires_grad, _retain_grad, _backward or
 *     _set_grad no other may use the tensors that they change, or ones that share elements with
 *     them. Nothing but the mode of swy_grad_mode_set is kept by thread: a task may go on in
 *     another one.
 *     In a child of fork() that does not call exec, devices have no threads any more: what one that
 *     needs them is asked for is SWY_ERROR_DEVICE_UNAVAILABLE, and the others compute on the
 *     calling thread. swy_run_execute_async makes the thread of a run anew there, but an execution
 *     that was under way at the fork is lost to the child: its callback is not called, swy_run_wait
 *     returns at once, and all else but retain and release of that run is
 *     SWY_ERROR_INVALID_ARGUMENT.
 *  6. A call may take long, as it reads files, starts threads, waits for a device, or calls one of
 *     the program's callbacks; a binding gives up its interpreter's lock for it. These never do:
 *     all of swy_status_*, swy_cancellation_token_* and swy_grad_mode_*, swy_*_retain,
 *     swy_api_version, swy_text_release, swy_run_create, swy_device_name and _equal,
 *     swy_tensor_dtype, _rank, _shape, _strides, _size_bytes, _is_same and _requires_grad, and of a
 *     model its counts and ports.
 *  7. Text is UTF-8 and ends in NUL. Extents and strides are in elements, sizes in bytes. Elements
 *     of host memory follow each other in row-major order, in the byte order of the machine.
 *  8. Every call may fail with any kind of error; comments name those with a special meaning.
 *     Messages are those of the C++ API and name its functions: to() is swy_tensor_to_device,
 *     detach() and clone() are swy_tensor_detach and _clone, requires_grad_() is
 *     swy_tensor_set_requires_grad, NoGrad is swy_grad_mode_set(0), to_vector() and to_texts()
 *     are swy_tensor_read, Device::host() is the device "host", retain_graph is
 *     SWY_BACKWARD_RETAIN_GRAPH, copy_to() is swy_tensor_read, view_host_bytes() is swy_tensor_map,
 *     copy_() is swy_tensor_assign, contiguous() is swy_tensor_clone, and [Run] is a swy_run.
 *     current_device() has no counterpart: a call takes its device.
 *  9. Callbacks return to their caller: they neither throw nor end their thread. The device "host"
 *     is for swy_tensor_to_device, swy_tensor_borrow and swy_tensor_from_dlpack_versioned alone.
 */
#ifndef SWITCHYARD_SWITCHYARD_H_
#define SWITCHYARD_SWITCHYARD_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** In 0.x a new minor number may change anything. */
#define SWY_API_VERSION_MAJOR 0u
#define SWY_API_VERSION_MINOR 1u
#define SWY_API_VERSION ((SWY_API_VERSION_MAJOR << 16) | SWY_API_VERSION_MINOR)

#if defined(__GNUC__) || defined(__clang__)
#define SWY_API __attribute__((visibility("default")))
#else
#define SWY_API
#endif

/** Objects, each known by pointers alone: convention 2.
 * @{ */
typedef struct swy_status swy_status;
typedef struct swy_runtime swy_runtime;
typedef struct swy_device swy_device;
typedef struct swy_tensor swy_tensor;
typedef struct swy_mapping swy_mapping;
typedef struct swy_model swy_model;
typedef struct swy_run swy_run;
typedef struct swy_cancellation_token swy_cancellation_token;
/** @} */

/* Of <dlpack/dlpack.h>, which only callers of the functions of these names need: the second is
 * declared from version 1.0 on; with an older header (Debian 12 has 0.6) a program declares it
 * itself, as DLPack's specification has it. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

/** SWY_API_VERSION of the library: compare its upper 16 bits, in 0.x all of it, with the macro. */
SWY_API uint32_t swy_api_version(void);

/* ------------------------------------------------------------------ status */

/** What went wrong, as far as a caller can act on it. Take an unknown number for INTERNAL. */
typedef int32_t swy_error_kind;
enum {
  SWY_OK = 0,
  SWY_ERROR_INVALID_ARGUMENT = 1, /**< a call that makes no sense: a NULL, a dtype, a state */
  SWY_ERROR_CONFIG = 2,           /**< the configuration: its syntax, a key, a value, the file */
  SWY_ERROR_MODEL = 3,            /**< what a model's file holds: truncated, invalid, unknown ops */
  SWY_ERROR_PLUGIN = 4,           /**< a plugin that is missing, broken, or of another version */
  SWY_ERROR_OUT_OF_MEMORY = 5,    /**< host or device, after all that could be was freed */
  SWY_ERROR_UNSUPPORTED = 6,      /**< no device does it, or a fallback was denied */
  SWY_ERROR_DEVICE_LOST = 7,      /**< a device failed, and what it held is gone */
  SWY_ERROR_INTERNAL = 8,         /**< a bug of the library */
  SWY_ERROR_CANCELLED = 9,        /**< ended by a cancellation token */
  SWY_ERROR_DEADLINE = 10,        /**< ended because its deadline passed */
  SWY_ERROR_SHAPE_MISMATCH = 11,  /**< shapes that do not fit each other, or the op */
  SWY_ERROR_NOT_FOUND = 12,       /**< a file, an entry or a name that does not exist */
  SWY_ERROR_IO = 13,              /**< a file that the system does not let read or write */
  SWY_ERROR_DEVICE_UNAVAILABLE = 14, /**< a device not configured, not there or out of use */
  SWY_ERROR_TRANSIENT = 15,          /**< a device failed for now: the same call may succeed */
  SWY_ERROR_PEER_LOST = 16           /**< another rank of a communicator is gone or came too late */
};

/** SWY_OK for NULL. */
SWY_API swy_error_kind swy_status_kind(const swy_status* status);
/** One line for people: what is wrong, where, and how to fix it. "" for NULL. Valid as long as the
 * status. */
SWY_API const char* swy_status_message(const swy_status* status);
/** Which device failed or refused ("NAME:0"), which op it ran, and the plugin's code for why
 * ("DTYPE"). "" where there is none, and for NULL. Valid as long as the status.
 * @{ */
SWY_API const char* swy_status_device(const swy_status* status);
SWY_API const char* swy_status_op(const swy_status* status);
SWY_API const char* swy_status_plugin_code(const swy_status* status);
/** @} */
/** 1 if the same call, unchanged, may succeed later; else 0. */
SWY_API int swy_status_is_retryable(const swy_status* status);
SWY_API void swy_status_retain(swy_status* status);  /**< one reference more */
SWY_API void swy_status_release(swy_status* status); /**< one less: convention 2 */

/** Frees a text that a call gave in a `char**`. Does nothing for NULL. */
SWY_API void swy_text_release(char* text);

/** Told, on any thread, that nothing uses what it was given any more. */
typedef void (*swy_deleter)(void* context);

/* ------------------------------------------------------------------ log */

/** How much a message matters, the least first. */
typedef int32_t swy_log_level;
enum {
  SWY_LOG_TRACE = 0,
  SWY_LOG_DEBUG = 1,
  SWY_LOG_INFO = 2,
  SWY_LOG_WARN = 3,
  SWY_LOG_ERROR = 4
};

/** Takes one message of the log: one line without its end, valid during the call alone. Called on
 * the thread that logs, by several threads at once if several log. */
typedef void (*swy_log_callback)(void* context, swy_log_level level, const char* message);

/** Gives the log of this process to `callback`; NULL gives it back to stderr. A callback that was
 * replaced may still be in a call of another thread: `deleter`, if it is not NULL, is called with
 * `context` once it is in none, or if this call fails. A message of a thread that holds a lock of
 * the library waits until it holds none. Which levels are logged is the configuration's to say
 * (host.log_level), for the whole process: the one that was opened last. What the callback itself
 * causes to be logged goes to stderr. */
SWY_API swy_status* swy_log_set_callback(swy_log_callback callback, void* context,
                                         swy_deleter deleter);

/* ------------------------------------------------------------------ runtime */

/** The plugins, devices and routing rules of one configuration: the one that the environment
 * variable SWITCHYARD_CONFIG names, else the installed default. Several runtimes may be open at
 * once; keep one open rather than opening it for every use. */
SWY_API swy_status* swy_runtime_open(swy_runtime** out_runtime);
/** The same by a TOML file, or by TOML text; config/default.toml describes the keys.
 * SWY_ERROR_CONFIG for what they say, and for a file that cannot be read.
 * @{ */
SWY_API swy_status* swy_runtime_open_file(const char* file, swy_runtime** out_runtime);
SWY_API swy_status* swy_runtime_open_text(const char* toml, swy_runtime** out_runtime);
/** @} */
/** Goes over to the configuration as its file says now, or to that of another file or text, while
 * other threads go on: what is called from then on is routed by it. One that is wrong changes
 * nothing. What was made before stays what it is; plugins whose section stays the same keep their
 * devices, others are loaded again. SWY_ERROR_CONFIG also for a setting that only opening takes up,
 * and from swy_runtime_reload where the configuration was a text.
 * @{ */
SWY_API swy_status* swy_runtime_reload(swy_runtime* runtime);
SWY_API swy_status* swy_runtime_reload_file(swy_runtime* runtime, const char* file);
SWY_API swy_status* swy_runtime_reload_text(swy_runtime* runtime, const char* toml);
/** @} */
SWY_API void swy_runtime_retain(swy_runtime* runtime);  /**< one reference more */
SWY_API void swy_runtime_release(swy_runtime* runtime); /**< one less: convention 2 */

/** The plugins of the configuration and their devices, as `switchyard devices --json` prints them:
 * {"plugins": [{"name", "library", "version", "abi", "status", "required", "built", "available",
 * "reason", "devices": [{"id", "description", "built", "available", "reason", "memory_bytes"}]}]}.
 * Release it with swy_text_release. */
SWY_API swy_status* swy_runtime_devices_json(swy_runtime* runtime, char** out_json);
/** What ran on another device than the one asked for, since the runtime was opened: [{"op", "from",
 * "to", "code", "reason", "count", "bytes_copied", "time_ms"}]. Release it with swy_text_release.
 */
SWY_API swy_status* swy_runtime_fallbacks_json(swy_runtime* runtime, char** out_json);

/** One call that ran on another device than the one asked for; valid during the callback. */
typedef struct swy_fallback {
  uint32_t struct_size;  /**< out: of the library's struct, which may be longer */
  uint32_t reserved;     /**< 0 */
  const char* op;        /**< out */
  const char* from;      /**< out: the device that was asked for, "plugin:0" */
  const char* to;        /**< out: the device that ran it, or "host": a kernel of the program */
  const char* code;      /**< out: the plugin's code for why, "DTYPE" */
  const char* reason;    /**< out: the same for people */
  uint64_t bytes_copied; /**< out: from one device to the other */
  double milliseconds;   /**< out: of the call */
} swy_fallback;
/** Told of a fallback on the thread that called the op, by several threads at once. */
typedef void (*swy_fallback_callback)(void* context, const swy_fallback* fallback);
/** Calls `callback` at each fallback from now on, when the op has run or is enqueued; NULL is none.
 * Fallbacks of what the callback itself calls are counted, and not told.
 * `deleter`, if it is not NULL, is called with `context` once the callback was replaced, or all
 * that keeps the runtime is gone, and no thread is in a call of it; or if this call fails. */
SWY_API swy_status* swy_runtime_set_fallback_callback(swy_runtime* runtime,
                                                      swy_fallback_callback callback, void* context,
                                                      swy_deleter deleter);

/** Opens a device by name, "plugin" or "plugin:1"; "host" is the memory of the program.
 * SWY_ERROR_DEVICE_UNAVAILABLE, with the reason, if it is not available. */
SWY_API swy_status* swy_runtime_device(swy_runtime* runtime, const char* name,
                                       swy_device** out_device);
/** The device that the configured order asks first, of those that are available. */
SWY_API swy_status* swy_runtime_default_device(swy_runtime* runtime, swy_device** out_device);

/* ------------------------------------------------------------------ device */

/** Memory of one device. */
typedef struct swy_memory {
  uint32_t struct_size;
  uint32_t reserved;     /**< 0 */
  uint64_t used_bytes;   /**< out: by tensors */
  uint64_t peak_bytes;   /**< out: the most that tensors ever used */
  uint64_t cached_bytes; /**< out: kept for later */
  uint64_t allocations;  /**< out: that tensors asked for */
  uint64_t reuses;       /**< out: allocations served from what was kept */
} swy_memory;

/** "plugin:0"; "host" for the device of a value that no device holds yet, of which the following
 * three are SWY_ERROR_INVALID_ARGUMENT. Valid as long as the device. */
SWY_API swy_status* swy_device_name(swy_device* device, const char** out_name);
/** 1 if both are the same device of the same runtime, or both "host"; else 0. */
SWY_API swy_status* swy_device_equal(swy_device* a, swy_device* b, int* out_equal);
/** Fills in `out_memory`, whose struct_size the caller has set. */
SWY_API swy_status* swy_device_memory(swy_device* device, swy_memory* out_memory);
/** Waits until all work enqueued so far has completed. Fails with the error of work that failed,
 * once, and not if another wait has told it before. */
SWY_API swy_status* swy_device_synchronize(swy_device* device);
/** Gives memory kept for later back to the system. `out_freed_bytes` may be NULL. */
SWY_API swy_status* swy_device_empty_cache(swy_device* device, uint64_t* out_freed_bytes);
SWY_API void swy_device_retain(swy_device* device);  /**< one reference more */
SWY_API void swy_device_release(swy_device* device); /**< one less: convention 2 */

/* ------------------------------------------------------------------ tensor */

/** Element types, numbered as in ONNX's TensorProto.DataType. A bool is one byte, 0 or 1; types of
 * 4 and 2 bits are packed two and four a byte, the lowest bits first. That a caller's bools are 0
 * or 1 is the caller's duty: other bytes count as true and are given back as they are. */
typedef int32_t swy_dtype;
enum {
  SWY_UNDEFINED = 0, /**< of ports alone */
  SWY_FLOAT32 = 1,
  SWY_UINT8 = 2,
  SWY_INT8 = 3,
  SWY_UINT16 = 4,
  SWY_INT16 = 5,
  SWY_INT32 = 6,
  SWY_INT64 = 7,
  SWY_STRING = 8, /**< of ports and results alone: this API neither makes nor reads such elements */
  SWY_BOOL = 9,
  SWY_FLOAT16 = 10,
  SWY_FLOAT64 = 11,
  SWY_UINT32 = 12,
  SWY_UINT64 = 13,
  SWY_COMPLEX64 = 14,
  SWY_COMPLEX128 = 15,
  SWY_BFLOAT16 = 16,
  SWY_FLOAT8E4M3FN = 17,
  SWY_FLOAT8E4M3FNUZ = 18,
  SWY_FLOAT8E5M2 = 19,
  SWY_FLOAT8E5M2FNUZ = 20,
  SWY_UINT4 = 21,
  SWY_INT4 = 22,
  SWY_FLOAT4E2M1 = 23,
  SWY_FLOAT8E8M0 = 24, /**< a power of two, without a sign */
  SWY_UINT2 = 25,
  SWY_INT2 = 26
};

#define SWY_MAX_RANK 32u /**< the most dimensions of a tensor */

/** New tensors on `device`, of `rank` extents, each at least 0; rank 0 is one element. The elements
 * of the first have no particular value.
 * @{ */
SWY_API swy_status* swy_tensor_empty(swy_device* device, swy_dtype dtype, uint32_t rank,
                                     const int64_t* shape, swy_tensor** out_tensor);
SWY_API swy_status* swy_tensor_zeros(swy_device* device, swy_dtype dtype, uint32_t rank,
                                     const int64_t* shape, swy_tensor** out_tensor);
/** @} */
/** A copy of elements in host memory; the memory may go after the call. `size_bytes` must be what
 * the shape needs, else it is a SWY_ERROR_SHAPE_MISMATCH; `data` may be NULL if it is 0. */
SWY_API swy_status* swy_tensor_from_bytes(swy_device* device, swy_dtype dtype, uint32_t rank,
                                          const int64_t* shape, const void* data, size_t size_bytes,
                                          swy_tensor** out_tensor);

enum { SWY_BORROW_READ_ONLY = 1u << 0 }; /**< what would write to it is an error, for ever */
/** A tensor over the caller's memory, without a copy: `data` is its first element. `strides` counts
 * elements, none negative, and may be NULL: then the elements are contiguous, in row-major order.
 * Where `device` computes in the host's memory (a plugin says so of its device) and `data` is
 * aligned as the elements' type asks, the tensor lies there: ops read the memory, as it is at that
 * moment, and runs with targets write to it. On any other device, for other data, and on "host",
 * it is a value of the host, contiguous and never written to: it is copied to a device at its
 * first use there, so that the memory must not change. swy_device_synchronize comes before the
 * caller reads what a device wrote.
 *
 * `deleter` is called with `context` exactly once, on any thread, when no tensor and no work of
 * a device uses the memory any more; also if the call fails, but not if an argument is NULL. It
 * may be NULL: then the memory stays as long as it is used. Releasing the last tensor may wait for
 * work. `data` may be NULL if there are no elements. SWY_ERROR_UNSUPPORTED for strided elements of
 * a value of the host. */
SWY_API swy_status* swy_tensor_borrow(swy_device* device, swy_dtype dtype, uint32_t rank,
                                      const int64_t* shape, const int64_t* strides, void* data,
                                      uint32_t flags, swy_deleter deleter, void* context,
                                      swy_tensor** out_tensor);

/** Takes over a DLPack capsule without a version, of contiguous elements in host memory, as
 * swy_tensor_borrow does memory for the device "host": they must not change, and
 * swy_tensor_to_device brings them to a device. The library calls the capsule's deleter, from any
 * thread, also if the call fails; but not if an argument is NULL. SWY_ERROR_UNSUPPORTED for other
 * memory, for dtypes that are not DLPack's, and for strided elements. */
SWY_API swy_status* swy_tensor_from_dlpack(struct DLManagedTensor* capsule,
                                           swy_tensor** out_tensor);
/** The same of a capsule with a version, 1.x, for any device: it is read-only where its flag says
 * so. SWY_ERROR_UNSUPPORTED for another major version. */
SWY_API swy_status* swy_tensor_from_dlpack_versioned(swy_device* device,
                                                     struct DLManagedTensorVersioned* capsule,
                                                     swy_tensor** out_tensor);
/** A DLPack capsule that shares the elements, strides and all, once the work that makes them is
 * over; the caller calls its deleter. It cannot say that elements must not be written to, so it
 * has a copy of those of which that holds: values of the host, and read-only tensors.
 * SWY_ERROR_UNSUPPORTED where the device's memory cannot be exported, and for types that DLPack
 * does not have. */
SWY_API swy_status* swy_tensor_to_dlpack(swy_tensor* tensor, struct DLManagedTensor** out_capsule);
enum { SWY_DLPACK_COPY = 1u << 0 }; /**< the elements are a copy */
/** The same with a version, 1.0: it shares those, too, and has the flag of read-only ones. With
 * SWY_DLPACK_COPY the elements are a copy, and the flag of copied ones says so. */
SWY_API swy_status* swy_tensor_to_dlpack_versioned(swy_tensor* tensor, uint32_t flags,
                                                   struct DLManagedTensorVersioned** out_capsule);

/** The type of its elements, and the number of its dimensions.
 * @{ */
SWY_API swy_status* swy_tensor_dtype(swy_tensor* tensor, swy_dtype* out_dtype);
SWY_API swy_status* swy_tensor_rank(swy_tensor* tensor, uint32_t* out_rank);
/** @} */
/** `rank` extents, or strides; valid as long as the tensor.
 * @{ */
SWY_API swy_status* swy_tensor_shape(swy_tensor* tensor, const int64_t** out_shape);
SWY_API swy_status* swy_tensor_strides(swy_tensor* tensor, const int64_t** out_strides);
/** @} */
/** Of the elements, contiguous: what swy_tensor_read needs. */
SWY_API swy_status* swy_tensor_size_bytes(swy_tensor* tensor, size_t* out_size_bytes);
/** Where the elements lie; the device "host" for a value that no device holds yet. */
SWY_API swy_status* swy_tensor_device(swy_tensor* tensor, swy_device** out_device);
/** 1 if both pointers stand for one tensor, so that what is set of the one is set of the other;
 * else 0, also for two tensors that share their elements. */
SWY_API swy_status* swy_tensor_is_same(swy_tensor* a, swy_tensor* b, int* out_is_same);

/** Writes the elements, contiguous, to host memory, after waiting for the work that makes them.
 * `size_bytes` must be that of the tensor, else it is a SWY_ERROR_INVALID_ARGUMENT; `destination`
 * may be NULL if it is 0. */
SWY_API swy_status* swy_tensor_read(swy_tensor* tensor, void* destination, size_t size_bytes);
/** Gives the elements where they lie, for reading, without a copy, after waiting for the work that
 * makes them: swy_tensor_size_bytes of them from `*out_data` on. The mapping keeps them until it
 * is released, whatever becomes of the tensor; what is written to the tensor later is seen there,
 * and must not be read while it is written. SWY_ERROR_INVALID_ARGUMENT for strided elements and
 * for text, and SWY_ERROR_UNSUPPORTED where the elements lie in memory that the program has no
 * address of: swy_tensor_read copies them. */
SWY_API swy_status* swy_tensor_map(swy_tensor* tensor, swy_mapping** out_mapping,
                                   const void** out_data);
SWY_API void swy_mapping_retain(swy_mapping* mapping);  /**< one reference more */
SWY_API void swy_mapping_release(swy_mapping* mapping); /**< one less: convention 2 */
/** Writes the elements of `source`, which broadcast to the shape of `tensor` and are converted to
 * its dtype, over those of `tensor`, for all that share them. SWY_ERROR_INVALID_ARGUMENT for a
 * value that no device holds yet, for a read-only tensor, and for one of which
 * swy_tensor_set_requires_grad asked a gradient, unless swy_grad_mode_set(0) holds. Gradients flow
 * through it to `source`. */
SWY_API swy_status* swy_tensor_assign(swy_tensor* tensor, swy_tensor* source);
/** The same elements on `device`: the tensor itself if they lie there already. */
SWY_API swy_status* swy_tensor_to_device(swy_tensor* tensor, swy_device* device,
                                         swy_tensor** out_tensor);
/** A contiguous copy, through which gradients flow. */
SWY_API swy_status* swy_tensor_clone(swy_tensor* tensor, swy_tensor** out_tensor);
SWY_API void swy_tensor_retain(swy_tensor* tensor);  /**< one reference more */
SWY_API void swy_tensor_release(swy_tensor* tensor); /**< one less: convention 2 */

/* ------------------------------------------------------------------ model */

/** How a model is read. */
typedef struct swy_model_options {
  uint32_t struct_size;
  uint32_t fixed_dim_count;           /**< length of both arrays */
  const char* const* fixed_dim_names; /**< free extents of inputs that are fixed, as "batch", */
  const int64_t* fixed_dim_extents;   /**< and what they then are */
} swy_model_options;

#define SWY_UNKNOWN_RANK UINT32_MAX
#define SWY_UNKNOWN_DIMENSION (-1)

/* swy_port.flags. An input for which the file has an initializer is a constant, and no port. */
enum {
  SWY_PORT_TENSOR = 1u << 0,  /**< unset: a sequence or an optional */
  SWY_PORT_REQUIRED = 1u << 1 /**< an input that a run must have */
};

/** What a model takes or gives. The pointers are valid as long as the model; those to no elements,
 * as of an unknown rank, may be NULL. */
typedef struct swy_port {
  uint32_t struct_size;
  uint32_t flags;               /**< out: SWY_PORT_* */
  const char* name;             /**< out */
  const int64_t* shape;         /**< out: `rank` extents, SWY_UNKNOWN_DIMENSION where one is free */
  uint32_t rank;                /**< out: or SWY_UNKNOWN_RANK */
  swy_dtype dtype;              /**< out: SWY_UNDEFINED where the model does not tell it */
  const char* const* dim_names; /**< out: `rank` names of extents, "" where there is none */
} swy_port;

/** An ONNX model, read, checked and made ready for the devices of `runtime`. Any number of runs may
 * use it at once. SWY_ERROR_MODEL names the file, the node and how to fix it; SWY_ERROR_NOT_FOUND
 * or SWY_ERROR_IO for a file that cannot be read. `options` may be NULL. */
SWY_API swy_status* swy_model_load(swy_runtime* runtime, const char* file,
                                   const swy_model_options* options, swy_model** out_model);
/** From the bytes of such a file, which may go after the call; external data is refused. */
SWY_API swy_status* swy_model_from_bytes(swy_runtime* runtime, const void* data, size_t size_bytes,
                                         const swy_model_options* options, swy_model** out_model);
/** How many inputs and outputs there are, and what they are. The caller sets struct_size of the
 * port; SWY_ERROR_INVALID_ARGUMENT for an index beyond the last.
 * @{ */
SWY_API swy_status* swy_model_input_count(swy_model* model, size_t* out_count);
SWY_API swy_status* swy_model_output_count(swy_model* model, size_t* out_count);
SWY_API swy_status* swy_model_input_port(swy_model* model, size_t index, swy_port* out_port);
SWY_API swy_status* swy_model_output_port(swy_model* model, size_t index, swy_port* out_port);
/** @} */
/** Runs the model once with inputs of zeros, and drops what comes out, so that the runs that follow
 * find their kernels, plans and memory made. The shapes are those of `count` inputs, by name;
 * inputs without free extents, and those that a run may leave out, need none. Fails as
 * swy_run_execute does, without a deadline; SWY_ERROR_NOT_FOUND for an unknown name. A model that
 * makes no sense of zeros, or needs a sequence, cannot be prepared so. */
SWY_API swy_status* swy_model_prepare(swy_model* model, size_t count, const char* const* names,
                                      const uint32_t* ranks, const int64_t* const* shapes);
SWY_API void swy_model_retain(swy_model* model);  /**< one reference more */
SWY_API void swy_model_release(swy_model* model); /**< one less: convention 2 */

/* ------------------------------------------------------------------ run */

/** The inputs, limits and outputs of runs of one model, one after another: what is set stays set
 * until it is set anew. A thread that swy_run_execute_async has made stays until the last release:
 * servers keep a few runs and reuse them. */
SWY_API swy_status* swy_run_create(swy_model* model, swy_run** out_run);
/** By its position or name. The tensor is retained; NULL takes it away. Whether it fits is told by
 * swy_run_execute, which fails for one that is to be a sequence. SWY_ERROR_NOT_FOUND for an
 * unknown name.
 * @{ */
SWY_API swy_status* swy_run_set_input(swy_run* run, size_t index, swy_tensor* tensor);
SWY_API swy_status* swy_run_set_input_by_name(swy_run* run, const char* name, swy_tensor* tensor);
/** @} */

/** The output, by its position or name, is written over the elements of `tensor`, which
 * swy_run_output then gives: a tensor on a device with the output's dtype and shape, which shares
 * memory neither with an input nor with another such tensor. That is judged by the memory from its
 * first element to its last, not by element. It is retained; NULL takes it away.
 * SWY_ERROR_NOT_FOUND for an unknown name.
 * @{ */
SWY_API swy_status* swy_run_set_output(swy_run* run, size_t index, swy_tensor* tensor);
SWY_API swy_status* swy_run_set_output_by_name(swy_run* run, const char* name, swy_tensor* tensor);
/** @} */
/** The device of the model's runtime that every op asks for first; NULL takes it away. With one,
 * ops are run one by one: programs of several nodes are not used. */
SWY_API swy_status* swy_run_set_device(swy_run* run, swy_device* device);

#define SWY_NO_DEADLINE INT64_MAX
/** The run ends with SWY_ERROR_DEADLINE once so many milliseconds have passed: of a deadline since
 * this call, not since swy_run_execute, and of a timeout since the beginning of each execution. The
 * later call of both counts. A negative number has passed already. SWY_NO_DEADLINE, as at first, is
 * none, and so is a time beyond the end of the clock.
 * @{ */
SWY_API swy_status* swy_run_set_deadline(swy_run* run, int64_t milliseconds);
SWY_API swy_status* swy_run_set_timeout(swy_run* run, int64_t milliseconds);
/** @} */
/** The run ends with SWY_ERROR_CANCELLED once the token is cancelled. The token is retained; NULL
 * takes it away. */
SWY_API swy_status* swy_run_set_cancellation_token(swy_run* run, swy_cancellation_token* token);

/** Runs the model; the outputs share no memory with anything else. Deadline and token are looked at
 * once the inputs are checked, and before each node: a kernel that has begun is not broken off. The
 * outputs of a run that failed, and those of the run before, are gone; the run may be executed
 * again. SWY_ERROR_SHAPE_MISMATCH for inputs of another shape, also where only a node finds it,
 * SWY_ERROR_INVALID_ARGUMENT for inputs that are missing or have another dtype, and for those that
 * require a gradient, unless swy_grad_mode_set(0) holds: none flows through a model. */
SWY_API swy_status* swy_run_execute(swy_run* run);

/** `status` is what swy_run_execute would have returned; the callback releases it. */
typedef void (*swy_run_callback)(void* context, swy_status* status);
/** The same on a thread of the run's own, which calls `callback` at its end, once for each call
 * that succeeds; what fails before is returned. It has the gradient mode of the calling thread,
 * the callback that of its own. Until then all but swy_run_wait fails, but within the callback,
 * which may use, retain, execute and release the run: an execution that it starts begins when it
 * has returned. The last release waits for the callback, and so does swy_run_wait, but within it
 * and in what the execution itself calls. */
SWY_API swy_status* swy_run_execute_async(swy_run* run, swy_run_callback callback, void* context);
/** Returns once the run is not executed asynchronously, and its callback is over. */
SWY_API swy_status* swy_run_wait(swy_run* run);
/** A new reference to what the last run made; NULL, with success, for an optional without a value.
 * SWY_ERROR_UNSUPPORTED for a sequence, SWY_ERROR_NOT_FOUND for an unknown name.
 * @{ */
SWY_API swy_status* swy_run_output(swy_run* run, size_t index, swy_tensor** out_tensor);
SWY_API swy_status* swy_run_output_by_name(swy_run* run, const char* name, swy_tensor** out_tensor);
/** @} */
SWY_API void swy_run_retain(swy_run* run);  /**< one reference more */
SWY_API void swy_run_release(swy_run* run); /**< one less: convention 2 */

/** Ends runs from elsewhere; one token may serve any number of them. */
SWY_API swy_status* swy_cancellation_token_create(swy_cancellation_token** out_token);
/** Safe from any thread and from a signal handler. Does nothing for NULL. */
SWY_API void swy_cancellation_token_cancel(swy_cancellation_token* token);
/** Makes it as new, for further runs. Does nothing for NULL. */
SWY_API void swy_cancellation_token_reset(swy_cancellation_token* token);
SWY_API void swy_cancellation_token_retain(
    swy_cancellation_token* token); /**< one reference more */
SWY_API void swy_cancellation_token_release(
    swy_cancellation_token* token); /**< one less: convention 2 */

/* ------------------------------------------------------------------ ops */

/** What an attribute holds. */
typedef int32_t swy_attribute_kind;
enum {
  SWY_ATTRIBUTE_INT = 1,
  SWY_ATTRIBUTE_FLOAT = 2,
  SWY_ATTRIBUTE_STRING = 3,
  SWY_ATTRIBUTE_INTS = 4,
  SWY_ATTRIBUTE_FLOATS = 5,
  SWY_ATTRIBUTE_STRINGS = 6,
  SWY_ATTRIBUTE_TENSOR = 7
};

/** One attribute of an op. `data` points to `count` elements: int64_t, float, const char* or
 * swy_tensor* by kind. */
typedef struct swy_attribute {
  uint32_t struct_size;
  swy_attribute_kind kind; /**< what `data` points to */
  const char* name;        /**< as the op has it */
  const void* data;        /**< valid until the call returns */
  uint64_t count;          /**< 1 for INT, FLOAT, STRING and TENSOR */
} swy_attribute;

/** One call of an op. Arrays are valid until it returns. */
typedef struct swy_op_args {
  uint32_t struct_size;
  uint32_t attribute_count;        /**< of `attributes` */
  const char* domain;              /**< NULL: ONNX's own */
  const char* op;                  /**< "MatMul": an ONNX op, in its newest form */
  const swy_attribute* attributes; /**< those left out have their defaults */
  swy_tensor* const* inputs;       /**< NULL in it: an optional input that is left out */
  swy_tensor** outputs;            /**< out: new references; NULL for an optional one it lacks */
  uint32_t input_count;            /**< of `inputs` */
  uint32_t output_count; /**< how many to give, from the first on; the op's others are lost */
} swy_op_args;

/** Calls one op. With `device` it is asked first, and the results lie there; with NULL the first
 * device in the configured order that supports the op, or, where an input requires a gradient, the
 * one on which the inputs lie. Results may share elements with inputs, as those of Identity,
 * Reshape and Transpose do, and constants are values of "host". Random ops give the same numbers
 * for the same attribute `seed`, and others at each call without one. SWY_ERROR_NOT_FOUND for an
 * unknown op, SWY_ERROR_INVALID_ARGUMENT for an unknown attribute, for inputs that the op cannot
 * take, for no outputs or more than the op has, and for counts above 2^20, by which nothing is
 * read. */
SWY_API swy_status* swy_op_call(swy_runtime* runtime, swy_device* device, const swy_op_args* args);

/* ------------------------------------------------------------------ gradients */

/** Whether ops of the calling thread record what gradients need: 1 at first. The mode holds for
 * this thread until it is set again.
 * @{ */
SWY_API int swy_grad_mode_get(void);
SWY_API void swy_grad_mode_set(int enabled);
/** @} */

/** Asks for a gradient of this tensor, or (0) not. A tensor that an op made from ones that require
 * a gradient requires one already, and nothing changes: gradients stay with leaves, which no op
 * made so, unless swy_tensor_retain_grad asked for its own. SWY_ERROR_INVALID_ARGUMENT for a dtype
 * that has none, and for 0 where an op made the tensor so. */
SWY_API swy_status* swy_tensor_set_requires_grad(swy_tensor* tensor, int requires_grad);
/** Asks for the gradient of a tensor that an op made to be kept, too: swy_tensor_grad gives the one
 * of the last pass. Nothing changes for a leaf. SWY_ERROR_INVALID_ARGUMENT for a tensor that
 * requires none. */
SWY_API swy_status* swy_tensor_retain_grad(swy_tensor* tensor);
/** 1 if a backward pass computes a gradient of this tensor or of what it was made from; else 0. */
SWY_API swy_status* swy_tensor_requires_grad(swy_tensor* tensor, int* out_requires_grad);
/** The same elements without what made them: no gradient flows through. */
SWY_API swy_status* swy_tensor_detach(swy_tensor* tensor, swy_tensor** out_tensor);

/* Flags of swy_tensor_backward. */
enum {
  SWY_BACKWARD_RETAIN_GRAPH = 1u << 0, /**< keep what was saved, for another backward pass */
  SWY_BACKWARD_CREATE_GRAPH = 1u << 1  /**< gradients that have gradients; keeps it, too */
};
/** Adds to the gradients of the leaves that this tensor was made from and that require one.
 * `gradient` is that of this tensor; NULL for a tensor of one element: 1. For this and the next
 * but one: SWY_ERROR_SHAPE_MISMATCH for a gradient of another shape, SWY_ERROR_INVALID_ARGUMENT
 * for one of another dtype or on another device. */
SWY_API swy_status* swy_tensor_backward(swy_tensor* tensor, swy_tensor* gradient, uint32_t flags);
/** What swy_tensor_backward added up here; NULL, with success, before. The next pass adds to the
 * same elements. */
SWY_API swy_status* swy_tensor_grad(swy_tensor* tensor, swy_tensor** out_gradient);
/** Puts `gradient` itself, of the same dtype and shape, in its place, so that the next pass adds to
 * its elements; a value of the host is copied to the tensor's device, and the copy put there. NULL
 * takes it away: what a step of training does last. After SWY_BACKWARD_CREATE_GRAPH a tensor and
 * its gradient keep each other alive until then. SWY_ERROR_INVALID_ARGUMENT for a gradient that
 * shares memory with the tensor, is read-only, or shows an element twice. */
SWY_API swy_status* swy_tensor_set_grad(swy_tensor* tensor, swy_tensor* gradient);

#ifdef __cplusplus
}
#endif

#endif /* SWITCHYARD_SWITCHYARD_H_ */
