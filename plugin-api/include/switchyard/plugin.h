/** @file
 * Switchyard's device-plugin ABI, version 0.2.
 *
 * A plugin is one shared object that exports one symbol, `switchyard_plugin_entry`, and needs only
 * this header. Everything else is a table of functions that the entry hands to the host.
 * plugin-api/README.md builds a plugin in ten minutes; plugin-api/CHANGELOG.md lists every change.
 *
 * Conventions, which hold wherever a comment does not say otherwise:
 *  1. A struct starts with `struct_size`, set by who fills it in to its own sizeof. Structs grow
 *     only at their end: read a field only if `struct_size` reaches past it; what is missing reads
 *     as 0. Elements of an array of structs are `struct_size` of its first element apart (SY_AT).
 *  2. A call takes one args struct and one `sy_error`, and returns a status. Both are the caller's
 *     and must not be kept. Fields marked "out" are written by the callee, and only on SY_OK.
 *     `error` may be null; the callee writes it only when it returns anything but SY_OK.
 *  3. Pointers in args are valid until the call returns. Pointers in the plugin's table and in
 *     `sy_device_info` are valid for ever: an opened plugin is never unloaded. A pointer may be
 *     null only where its comment says so. An array with count 0 may be null.
 *  4. Handles are made by the plugin, opaque to the host, and destroyed by the host through the
 *     call named beside their maker, once, after their last use. Storages, kernels, events and
 *     streams are destroyed before their device is closed. Nothing else that is allocated crosses
 *     the boundary.
 *  5. No exception, longjmp or signal crosses the boundary in either direction.
 *  6. All functions may be called concurrently, but for one stream: the calls that name it are
 *     made by one caller at a time, `allocate`, `completed`, `wait`, `notify` and `workspace`
 *     excepted. A kernel is immutable: it may run on several streams at once, and is destroyed
 *     after its last run.
 *  7. Text is UTF-8 and ends in NUL. Names of ops, attributes and domains are ONNX's; the default
 *     domain is "". Sizes are in bytes and strides in elements where a name does not say otherwise.
 *  8. Every call may return any status of `sy_status`; comments name those with a special meaning.
 *  9. 0 never means yes: a verdict, a memory kind and a dtype that nobody set is none. `reserved`
 *     fields are 0; one that is not is a fault of who filled the struct in.
 * 10. A value of an enumeration that its reader does not know: a plugin answers SY_UNSUPPORTED (in
 *     `supports`, SY_REFUSED); to the host it is a fault of the plugin. A flag that its reader does
 *     not know is ignored, but one of SY_FLAGS_TO_KNOW, which is answered in the same way.
 * 11. Pointers have 64 bits.
 */
/* Aligned by hand. */
/* clang-format off */
#ifndef SWITCHYARD_PLUGIN_H_
#define SWITCHYARD_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** In 0.x any change raises the minor number, and both sides must hold the same one. */
#define SY_ABI_VERSION_MAJOR 0u
#define SY_ABI_VERSION_MINOR 2u
#define SY_ABI_VERSION ((SY_ABI_VERSION_MAJOR << 16) | SY_ABI_VERSION_MINOR)

#if defined(_WIN32)
#define SY_EXPORT __declspec(dllexport)
#else
#define SY_EXPORT __attribute__((visibility("default")))
#endif

/** The element `index` of an array of sized structs (convention 1). */
#define SY_AT(type, array, index) \
  ((const type*)(const void*)((const char*)(array) + (size_t)(index) * (array)->struct_size))

/** True if a struct, as its maker filled it in, holds `field`. */
#define SY_HAS(type, object, field) \
  ((object)->struct_size >= offsetof(type, field) + sizeof((object)->field))

/** A struct's size is part of the ABI; so are its offsets, which tests/abi records. */
#ifdef __cplusplus
#define SY_ASSERT_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "ABI: size of " #type)
static_assert(sizeof(void*) == 8, "The ABI of Switchyard's plugins needs pointers of 64 bits.");
#else
#define SY_ASSERT_SIZE(type, bytes) \
  typedef char sy_assert_size_##type[sizeof(type) == (bytes) ? 1 : -1]
typedef char sy_needs_pointers_of_64_bits[sizeof(void*) == 8 ? 1 : -1];
#endif

/** The flags of any set that may not be ignored (convention 10). */
#define SY_FLAGS_TO_KNOW 0xFFFF0000u

/* ------------------------------------------------------------------ status, error, verdict */

/** What came of a call; also the class of its fault, which decides what the host may try next. */
typedef int32_t sy_status;
enum {
  SY_OK = 0,
  SY_UNSUPPORTED = 1,   /**< this plugin cannot do it; another may */
  SY_INVALID = 2,       /**< the request breaks this contract, or the op's rules for these values:
                             the user's mistake where open_device, allocate, copy, prepare, run or
                             wait says so, else a fault of the plugin or the host */
  SY_OUT_OF_MEMORY = 3, /**< the host trims, waits for completions, tries again, then gives up */
  SY_TRANSIENT = 4,     /**< nothing was done; the host tries once more (`run`: on the next device
                             that takes the program), then gives up; not often in a row */
  SY_DEVICE_LOST = 5,   /**< what only this device held is gone; the device is quarantined */
  SY_BUG = 6,           /**< should never be; an unknown number, or OK without a handle, is it */
  SY_PEER_LOST = 7      /**< of collectives.h alone: another rank is gone, was aborted or came too
                             late; the device is well */
};

/** Why a device, op or value was refused. */
typedef int32_t sy_reason;
enum {
  SY_REASON_NONE = 0,
  SY_REASON_OP = 1,        /**< the op, or this version of it, is not known */
  SY_REASON_DTYPE = 2,     /**< an element type */
  SY_REASON_RANK = 3,      /**< a number of dimensions */
  SY_REASON_STRIDE = 4,    /**< strides; the host offers the op again with contiguous inputs */
  SY_REASON_ATTRIBUTE = 5, /**< an attribute's value, or a host input's */
  SY_REASON_LIMIT = 6,     /**< a size */
  SY_REASON_MEMORY = 7,    /**< too little memory */
  SY_REASON_OS = 8,        /**< the operating system or its drivers: too old, or no such hardware */
  SY_REASON_CONFIG = 9,    /**< the configuration asks for it */
  SY_REASON_FAULTED = 10   /**< the device has failed and has not recovered */
};

/** Filled in by a callee that fails. The caller sets `struct_size` and may leave the rest unset. */
typedef struct sy_error {
  uint32_t struct_size;
  sy_status status;  /**< equals what the call returned */
  sy_reason reason;  /**< with SY_UNSUPPORTED: why; else SY_REASON_NONE */
  char message[500]; /**< one sentence for people, cut to fit: what failed, with its numbers */
} sy_error;
SY_ASSERT_SIZE(sy_error, 512);

/** How a plugin answers for a node. */
typedef int32_t sy_verdict_kind;
enum {
  SY_UNANSWERED = 0, /**< the plugin left the node out: the host takes it for a refusal */
  SY_SUPPORTED = 1,
  SY_REFUSED = 2,
  SY_DEPENDS = 3 /**< only the run will show: `prepare` or `run` may still return SY_UNSUPPORTED */
};

/** A plugin's answer for one node. */
typedef struct sy_verdict {
  uint32_t struct_size;
  sy_verdict_kind kind;
  sy_reason reason;   /**< SY_REASON_NONE when supported */
  char message[244];  /**< for people; empty when supported */
} sy_verdict;
SY_ASSERT_SIZE(sy_verdict, 256);

/** A link of an extension chain. `kind` tells the type of the struct that starts with these fields;
 * who does not know a kind steps over it. Kinds below 0x10000 are given out by this project. */
typedef struct sy_extension {
  uint32_t struct_size;
  uint32_t kind;
  const struct sy_extension* next; /**< null at the end */
} sy_extension;
SY_ASSERT_SIZE(sy_extension, 16);

/* ------------------------------------------------------------------ what the host offers */

/** How much a message matters, the least first. */
typedef int32_t sy_log_level;
enum { SY_LOG_DEBUG = 0, SY_LOG_INFO = 1, SY_LOG_WARN = 2, SY_LOG_ERROR = 3 };

/** What an option holds. */
typedef int32_t sy_option_kind;
enum {
  SY_OPTION_BOOL = 0,
  SY_OPTION_INT = 1,
  SY_OPTION_FLOAT = 2,
  SY_OPTION_STRING = 3,
  SY_OPTION_LIST = 4
};

/** One value of the plugin's [plugins.NAME.options]; keys of nested tables are joined by dots. */
typedef struct sy_option {
  uint32_t struct_size;
  sy_option_kind kind;
  const char* key;               /**< "" for an element of a list */
  int64_t integer;               /**< INT; BOOL as 0 or 1 */
  double real;                   /**< FLOAT */
  const char* text;              /**< STRING; else null */
  const struct sy_option* items; /**< LIST */
  uint64_t item_count;
} sy_option;
SY_ASSERT_SIZE(sy_option, 56);

/** The host's services. The struct and all it points to are valid as long as the process. All its
 * functions may be called from any thread, at any time, and never fail. */
typedef struct sy_host {
  uint32_t struct_size;
  uint32_t thread_limit;          /**< threads that the plugin may keep busy at once; at least 1 */
  const sy_extension* extensions; /**< may be null */
  void* context;                  /**< handed back to the functions below */
  const char* library_path;       /**< absolute path of this plugin's own file */
  const sy_option* options;
  uint64_t option_count;
  /** `message` is copied. A message below the configured level costs a compare. */
  void (*log)(void* context, sy_log_level level, const char* message);
  /** For compiled code and the like, of this plugin alone and kept between processes: an absolute
   * path. Whoever writes there makes the folder first, with all above it, for the user alone. Null
   * where there is none. */
  const char* cache_folder;
} sy_host;
SY_ASSERT_SIZE(sy_host, 64);

/** Takes text of unknown length, piece by piece. Stop when `write` returns anything but SY_OK. */
typedef struct sy_writer {
  uint32_t struct_size;
  uint32_t reserved;
  void* context;
  sy_status (*write)(void* context, const char* text, uint64_t size_bytes);
} sy_writer;
SY_ASSERT_SIZE(sy_writer, 24);

/* ------------------------------------------------------------------ programs */

/** Element types, numbered as in ONNX's TensorProto.DataType. A bool is one byte, 0 or 1; types of
 * 4 and 2 bits are packed two and four a byte, the lowest bits first, and always contiguous. Text
 * never reaches a plugin. */
typedef int32_t sy_dtype;
enum {
  SY_FLOAT32 = 1,
  SY_UINT8 = 2,
  SY_INT8 = 3,
  SY_UINT16 = 4,
  SY_INT16 = 5,
  SY_INT32 = 6,
  SY_INT64 = 7,
  SY_BOOL = 9,
  SY_FLOAT16 = 10,
  SY_FLOAT64 = 11,
  SY_UINT32 = 12,
  SY_UINT64 = 13,
  SY_COMPLEX64 = 14,
  SY_COMPLEX128 = 15,
  SY_BFLOAT16 = 16,
  SY_FLOAT8E4M3FN = 17,
  SY_FLOAT8E4M3FNUZ = 18,
  SY_FLOAT8E5M2 = 19,
  SY_FLOAT8E5M2FNUZ = 20,
  SY_UINT4 = 21,
  SY_INT4 = 22,
  SY_FLOAT4E2M1 = 23,
  SY_FLOAT8E8M0 = 24, /**< a power of two, without a sign */
  SY_UINT2 = 25,
  SY_INT2 = 26
};
#define SY_DTYPE_BIT(dtype) (UINT64_C(1) << (dtype)) /* sets of types are masks of these */
#define SY_DTYPES_ALL UINT64_C(0x07FFFEFE) /* those of this version: a set holds no others */

#define SY_UNKNOWN_DIMENSION (-1)
#define SY_UNKNOWN_RANK UINT32_MAX
#define SY_ABSENT UINT32_MAX /* in place of a value's index: an optional input or output left out */

enum {                            /* sy_value.flags */
  SY_VALUE_CONSTANT = 1u << 0,    /**< the same bytes in every run; `constant_id` tells which */
  SY_VALUE_HOST_INPUT = 1u << 16, /**< shapes depend on its value: in `run` it is in host memory */
  SY_VALUE_IMMEDIATE = 1u << 17   /**< a scalar of at most 16 bytes: in `run` it is in sy_tensor;
                                       only where the claim says IMMEDIATES */
};

/** Describes one value of a program. */
typedef struct sy_value {
  uint32_t struct_size;
  uint32_t flags;
  sy_dtype dtype;
  uint32_t rank;          /**< or SY_UNKNOWN_RANK */
  const int64_t* shape;   /**< `rank` extents, each >= 0 or SY_UNKNOWN_DIMENSION; null if rank is
                               unknown or 0 */
  const int64_t* strides; /**< `rank` strides; null: contiguous, or not known before the run */
  const void* data;       /**< constants, and host inputs whose value is known: contiguous, in host
                               memory; null for others and for constants whose original is gone */
  uint64_t constant_id;   /**< equal ids mean equal bytes, in this process; 0 if not constant */
} sy_value;
SY_ASSERT_SIZE(sy_value, 48);

/** What an attribute holds. */
typedef int32_t sy_attribute_kind;
enum {
  SY_ATTRIBUTE_INT = 1,
  SY_ATTRIBUTE_FLOAT = 2,
  SY_ATTRIBUTE_STRING = 3,
  SY_ATTRIBUTE_INTS = 4,
  SY_ATTRIBUTE_FLOATS = 5,
  SY_ATTRIBUTE_STRINGS = 6,
  SY_ATTRIBUTE_TENSOR = 7
};

/** One attribute of a node. `data` points to `count` elements: int64_t, float or const char* by
 * kind, or to one sy_value with `data` set for a tensor. */
typedef struct sy_attribute {
  uint32_t struct_size;
  sy_attribute_kind kind;
  const char* name;
  const void* data;
  uint64_t count; /**< 1 for INT, FLOAT, STRING and TENSOR */
} sy_attribute;
SY_ASSERT_SIZE(sy_attribute, 32);

enum {                             /* sy_node.math_flags: what a kernel may do, and what it must */
  SY_MATH_TF32 = 1u << 0,          /**< products may round float32 inputs to 10 bits of mantissa;
                                        sums stay float32 */
  SY_MATH_BFLOAT16 = 1u << 1,      /**< products may round float32 inputs to bfloat16; so, too */
  SY_MATH_FLOAT16_SUMS = 1u << 2,  /**< sums of products of float16 may be float16 */
  SY_MATH_DETERMINISTIC = 1u << 16 /**< equal inputs give equal bits, on the same device */
};

/** One op with its attributes. Every attribute of the op is present unless it is optional and has
 * no default: the host fills the defaults in. */
typedef struct sy_node {
  uint32_t struct_size;
  uint32_t version;       /**< canonical: ONNX's since-version of the meaning that holds here */
  const char* domain;
  const char* op;
  uint32_t math_flags;
  uint32_t attribute_count;
  const sy_attribute* attributes;
  const uint32_t* inputs; /**< indices into the program's values, or SY_ABSENT */
  const uint32_t* outputs;
  uint32_t input_count;
  uint32_t output_count;
} sy_node;
SY_ASSERT_SIZE(sy_node, 64);

/** Nodes in an order in which each value is made before it is used. An eager op is a program of one
 * node. `inputs` and `outputs` index `values`; constants are among the inputs. */
typedef struct sy_program {
  uint32_t struct_size;
  uint32_t value_count;
  const sy_extension* extensions; /**< may be null */
  const sy_value* values;
  const sy_node* nodes;
  const uint32_t* inputs;
  const uint32_t* outputs;
  uint32_t node_count;
  uint32_t input_count;
  uint32_t output_count;
  uint32_t reserved;
} sy_program;
SY_ASSERT_SIZE(sy_program, 64);

/** A row of a device's claim table: what the device takes without being asked. A node that no row
 * covers is refused without a call; one that a row covers goes to `supports`, or is supported where
 * that slot is null. */
typedef struct sy_claim {
  uint32_t struct_size;
  uint32_t flags;         /**< SY_CLAIM_* */
  const char* domain;
  const char* op;         /**< SY_ANY_OP: every op of the domain */
  uint32_t min_version;
  uint32_t max_version;
  uint64_t input_dtypes;  /**< every input present, but host inputs, is of one of these */
  uint64_t output_dtypes; /**< every output present is of one of these */
  uint32_t min_rank;      /**< of every input present, but host inputs */
  uint32_t max_rank;
} sy_claim;
SY_ASSERT_SIZE(sy_claim, 56);
#define SY_ANY_OP "*"
enum {
  SY_CLAIM_STRIDED_INPUTS = 1u << 0,  /**< inputs may have any strides and offsets; else the host
                                           makes them contiguous first, through `copy`, offset
                                           included if need be */
  SY_CLAIM_STRIDED_OUTPUTS = 1u << 1, /**< so may outputs; else they are contiguous */
  SY_CLAIM_NO_SUPPORTS_CALL = 1u << 2, /**< the row says it all: `supports` need not be asked */
  SY_CLAIM_IMMEDIATES = 1u << 3        /**< scalars that the host has may be immediates; else it
                                            copies them to the device, behind work before */
};

/* ------------------------------------------------------------------ handles */

typedef struct sy_device_object* sy_device;     /**< open_device .. close_device */
typedef struct sy_stream_object* sy_stream;     /**< create_stream .. destroy_stream */
typedef struct sy_event_object* sy_event;       /**< create_event .. destroy_event */
typedef struct sy_kernel_object* sy_kernel;     /**< prepare .. destroy_kernel */
typedef struct sy_constant_object* sy_constant; /**< prepare .. release_constant, each return */
typedef uint64_t sy_storage;                    /**< allocate or import_memory .. release;
                                                     of kind ADDRESS: the pointer */

/* ------------------------------------------------------------------ devices */

/** How the host reaches the bytes of storages. */
typedef int32_t sy_memory_kind;
enum {
  SY_MEMORY_UNSET = 0,    /**< no device has it: its probe is refused */
  SY_MEMORY_ADDRESS = 1,  /**< the handle is a pointer: the host may use it when no stream does */
  SY_MEMORY_MAPPABLE = 2, /**< reached through `map` */
  SY_MEMORY_OPAQUE = 3    /**< reached through `copy` alone */
};

enum {                                     /* sy_device_info.flags */
  SY_DEVICE_WHOLE_PROGRAMS_ONLY = 1u << 0, /**< refuses programs that leave a node of a model out */
  SY_DEVICE_CACHES_MEMORY = 1u << 1,       /**< `allocate` is cheap and `trim` gives back; else the
                                                host caches */
  SY_DEVICE_IMPORTS_HOST_MEMORY = 1u << 2, /**< `import_memory` takes pointers to host memory; with
                                                kind ADDRESS any such pointer is a storage as it
                                                stands, for inputs */
  SY_DEVICE_PEER_COPY = 1u << 3,           /**< `copy` reads this plugin's other open devices */
  SY_DEVICE_THREAD_SAFE_RUN = 1u << 4,     /**< with SYNCHRONOUS: several callers may drive a stream
                                                at once */
  SY_DEVICE_SYNCHRONOUS = 1u << 16         /**< what is enqueued is complete when the call returns,
                                                and an error is that call's own: none sticks, as the
                                                host waits for nothing and asks for no number */
};

/** One device, as `probe` lists it: known without starting it. */
typedef struct sy_device_info {
  uint32_t struct_size;
  uint32_t flags;
  const char* name;           /**< for people: "AMD EPYC 9654, 96 cores" */
  int32_t built;              /**< 1 if this plugin was compiled with what the device needs */
  int32_t available;          /**< 1 if open_device may succeed */
  sy_reason reason;           /**< why not available */
  sy_memory_kind memory_kind;
  const char* message;        /**< why not available, and how to fix it; "" if available */
  uint64_t memory_bytes;      /**< all of the device's memory; 0 if not known */
  uint64_t max_storage_bytes; /**< largest single storage; 0 for no limit but memory */
  uint32_t alignment;         /**< of every storage, a power of two */
  uint32_t offset_alignment;  /**< offsets into a storage are multiples of it; 0: none but 0 */
  uint32_t max_program_nodes; /**< 1: one node a program; 0: no limit */
  int32_t dlpack_device_type; /**< for exchange; 0 if the memory cannot be exported */
  const sy_claim* claims;
  uint32_t claim_count;
  uint32_t peer_count;
  const uint32_t* peers;      /**< with PEER_COPY: the devices that `copy` reaches, by index; null:
                                   all */
  const char* architecture;   /**< that kernels are compiled for: "sm_90"; null: not known */
  const char* pci_address;    /**< "0000:3b:00.0"; null: none */
  uint8_t uuid[16];           /**< of the processor, whoever drives it, in every process; all 0: not
                                   known */
} sy_device_info;
SY_ASSERT_SIZE(sy_device_info, 128);

/** What devices there are, known without starting one. */
typedef struct sy_probe_args {
  uint32_t struct_size;
  int32_t built;                  /**< out: 1 if any device could be driven by this build */
  const sy_extension* extensions; /**< may be null */
  const sy_host* host;            /**< one that the entry was given: its options say what to list */
  int32_t available;              /**< out: 1 if at least one device is available */
  sy_reason reason;               /**< out: why not, else NONE */
  const char* message;            /**< out: why not, and how to fix it; valid for ever */
  const sy_device_info* devices;  /**< out: valid for ever, whoever probes again; an index never
                                       changes */
  uint32_t device_count;          /**< out: may be 0 */
  uint32_t reserved;
} sy_probe_args;
SY_ASSERT_SIZE(sy_probe_args, 56);

/** Hears of a device that fails while nobody calls it. */
typedef struct sy_device_listener {
  uint32_t struct_size;
  uint32_t reserved;
  void* context;
  /** As if a call had returned SY_DEVICE_LOST with this message, which is copied. From any thread,
   * until `close_device` returns. */
  void (*lost)(void* context, const char* message);
} sy_device_listener;
SY_ASSERT_SIZE(sy_device_listener, 24);

/** Starts one of the devices that `probe` listed. */
typedef struct sy_open_device_args {
  uint32_t struct_size;
  uint32_t index;      /**< into what `probe` listed for `host` */
  const sy_extension* extensions;
  const sy_host* host; /**< its options are the device's; a device may be open for several hosts */
  const sy_device_listener* listener; /**< valid until `close_device` returns */
  sy_device device;                   /**< out */
} sy_open_device_args;
SY_ASSERT_SIZE(sy_open_device_args, 40);

/** For calls that need a device and no more: close_device, recover. */
typedef struct sy_device_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
} sy_device_args;
SY_ASSERT_SIZE(sy_device_args, 24);

/** Tells of a device, or of the plugin, as text. */
typedef struct sy_report_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device; /**< null: about the plugin */
  const sy_writer* writer;
} sy_report_args;
SY_ASSERT_SIZE(sy_report_args, 32);

/* ------------------------------------------------------------------ memory */

/** A new storage, whose bytes have no particular value. */
typedef struct sy_allocate_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  sy_stream stream;    /**< the stream that will use it first; null: any, after this call */
  uint64_t size_bytes; /**< > 0 */
  sy_storage storage;  /**< out */
} sy_allocate_args;
SY_ASSERT_SIZE(sy_allocate_args, 48);

/** What memory from outside is. */
typedef int32_t sy_external_kind;
enum {
  SY_EXTERNAL_HOST = 1,  /**< host memory, where the device has IMPORTS_HOST_MEMORY */
  SY_EXTERNAL_DEVICE = 2 /**< a device's own, as DLPack's `data` is for its dlpack_device_type */
};

/** Wraps `size_bytes` of memory at `pointer` as a storage, without a copy. The memory stays its
 * owner's and outlives the storage. */
typedef struct sy_import_args {
  uint32_t struct_size;
  sy_external_kind kind;
  const sy_extension* extensions;
  sy_device device;
  void* pointer;
  uint64_t size_bytes;
  uint64_t ready_event; /**< of the platform's own kind, such as a cudaEvent_t: the memory is ready
                             after it; 0: at once */
  sy_stream stream;     /**< which waits for `ready_event`; other streams use the storage after
                             work of this one. Null if that is 0 */
  sy_storage storage;   /**< out */
} sy_import_args;
SY_ASSERT_SIZE(sy_import_args, 64);

/** Shows a storage to others, as SY_EXTERNAL_DEVICE memory. It stays the storage's. */
typedef struct sy_export_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  sy_storage storage;
  sy_event event;       /**< recorded: what the storage holds is made by then; null: it is there */
  void* pointer;        /**< out: valid as long as the storage */
  uint64_t ready_event; /**< out: `event` as in sy_import_args, valid as long as it; 0 if null */
} sy_export_args;
SY_ASSERT_SIZE(sy_export_args, 56);

/** For allocate_host, release_host, register_host and unregister_host: host memory that the device
 * copies to and from without help of the processor. It stays readable and writable when the device
 * is lost and recovers. */
typedef struct sy_host_memory_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  void* pointer;       /**< allocate_host: out, aligned as storages are */
  uint64_t size_bytes; /**< > 0; of release and unregister what it was before */
} sy_host_memory_args;
SY_ASSERT_SIZE(sy_host_memory_args, 40);

/** For release and unmap. */
typedef struct sy_storage_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  sy_storage storage;
} sy_storage_args;
SY_ASSERT_SIZE(sy_storage_args, 32);

enum { SY_MAP_READ = 1u << 0, SY_MAP_WRITE = 1u << 1 };

/** Shows bytes of a storage to the host, until `unmap`. */
typedef struct sy_map_args {
  uint32_t struct_size;
  uint32_t access; /**< SY_MAP_*; without READ the old contents may be lost */
  const sy_extension* extensions;
  sy_device device;
  sy_storage storage;
  uint64_t offset_bytes;
  uint64_t size_bytes;
  void* pointer;   /**< out: of the byte at `offset_bytes`; valid until unmap */
} sy_map_args;
SY_ASSERT_SIZE(sy_map_args, 56);

/** Gives memory kept for later back to the system. */
typedef struct sy_trim_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  uint64_t freed_bytes; /**< out: given back to the system */
} sy_trim_args;
SY_ASSERT_SIZE(sy_trim_args, 32);

/** Counts the memory of a device, in bytes. */
typedef struct sy_memory_statistics_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  uint64_t used_bytes;   /**< out: by storages that live */
  uint64_t cached_bytes; /**< out: kept for later */
  uint64_t free_bytes;   /**< out: what the device could still give; 0 if not known */
} sy_memory_statistics_args;
SY_ASSERT_SIZE(sy_memory_statistics_args, 48);

/** What the handle of a region is. */
typedef int32_t sy_region_kind;
enum {
  SY_REGION_STORAGE = 0, /**< `handle` is a storage of the args' device */
  SY_REGION_HOST = 1,    /**< `handle` is a pointer to host memory that outlives the copy */
  SY_REGION_PEER = 2     /**< `handle` is a storage of `peer`, an open device of this plugin */
};

/** One side of a copy. */
typedef struct sy_region {
  uint32_t struct_size;
  sy_region_kind kind;
  uint64_t handle;
  uint64_t offset_bytes;  /**< of the element whose indices are all 0 */
  sy_device peer;         /**< null unless kind is PEER */
  const int64_t* strides; /**< `rank` of them, of any sign; null: contiguous */
} sy_region;
SY_ASSERT_SIZE(sy_region, 40);

/** Copies elements between two regions of one dtype and shape. The source may have zero strides
 * (broadcast); the destination addresses each element once; the two do not overlap. */
typedef struct sy_copy_args {
  uint32_t struct_size;
  sy_dtype dtype;
  const sy_extension* extensions;
  sy_device device;
  sy_stream stream;
  const sy_region* source;
  const sy_region* destination;
  const int64_t* shape; /**< an extent may be 0: nothing is copied */
  uint32_t rank;        /**< 0: one element */
  uint32_t reserved;
  uint64_t sequence;    /**< out: number of this copy on the stream */
} sy_copy_args;
SY_ASSERT_SIZE(sy_copy_args, 72);

/* ------------------------------------------------------------------ streams and events */

/** Work on a stream completes in order. Each enqueue (copy, run) takes the stream's next sequence
 * number, from 1, and no more: of an asynchronous device any other counts as SY_BUG. An error after
 * an enqueue sticks to the stream: what was enqueued after it is not run, though its numbers
 * complete, and waits for it or for what came later return the error; for earlier work they do
 * not. */
typedef struct sy_create_stream_args {
  uint32_t struct_size;
  int32_t priority;                   /**< work of higher numbers goes first; 0 for most. A device
                                           with fewer levels takes the nearest */
  const sy_extension* extensions;
  sy_device device;
  sy_stream stream;                   /**< out */
  const volatile uint64_t* completed; /**< out: the last completed number, lock-free to read with
                                           acquire order, valid as long as the stream; null: ask
                                           `completed` */
} sy_create_stream_args;
SY_ASSERT_SIZE(sy_create_stream_args, 40);

/** For destroy_stream (waits for the stream's work first) and flush. */
typedef struct sy_stream_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_stream stream;
} sy_stream_args;
SY_ASSERT_SIZE(sy_stream_args, 24);

/** Asks how far a stream has come, without waiting. */
typedef struct sy_completed_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_stream stream;
  uint64_t sequence; /**< out: the last completed number; 0 before the first */
} sy_completed_args;
SY_ASSERT_SIZE(sy_completed_args, 32);

/** Blocks the calling thread until `sequence` has completed, flushing first. Does not count as
 * driving the stream: any thread may wait. An error is the work's if `sequence` has completed;
 * else the host takes it for one of the call, and waits again until it has. The work's error
 * sticks: later waits for that number and those after it return it too. A number that no work has
 * is SY_INVALID. SY_DEVICE_LOST says that no work of the device touches memory any more. */
typedef struct sy_wait_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_stream stream;
  uint64_t sequence;
} sy_wait_args;
SY_ASSERT_SIZE(sy_wait_args, 32);

/** Asks to be told once work has completed. */
typedef struct sy_notify_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_stream stream;
  uint64_t sequence;
  /** Called once, from any thread, when `sequence` has completed, failed or been lost; before
   * destroy_stream returns in any case. It is quick, and calls nothing of the plugin. */
  void (*function)(void* context);
  void* context;
} sy_notify_args;
SY_ASSERT_SIZE(sy_notify_args, 48);

enum { SY_EVENT_TIMED = 1u << 16 }; /* sy_create_event_args.flags: elapsed_time will be asked */

/** A new event, of any stream of the device. */
typedef struct sy_create_event_args {
  uint32_t struct_size;
  uint32_t flags;
  const sy_extension* extensions;
  sy_device device;
  sy_event event; /**< out: not recorded; waiting for it returns at once */
} sy_create_event_args;
SY_ASSERT_SIZE(sy_create_event_args, 32);

/** For record_event (the stream's work so far), wait_for_event (the stream's later work waits; the
 * stream may be another device's of this plugin), wait_event (the calling thread waits; `stream` is
 * null) and destroy_event (`stream` is null). A wait flushes the stream that recorded the event. If
 * the marked work fails, later work of a stream that waits may run or fail: the host gives its
 * results to nobody. An event may be destroyed while streams wait for it. */
typedef struct sy_event_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_event event;
  sy_stream stream;
} sy_event_args;
SY_ASSERT_SIZE(sy_event_args, 32);

/** The time from one timed event to another of the device, both of which have completed. */
typedef struct sy_elapsed_time_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_event start;
  sy_event end;
  int64_t nanoseconds; /**< out: below 0 if `end` was first */
} sy_elapsed_time_args;
SY_ASSERT_SIZE(sy_elapsed_time_args, 40);

/* ------------------------------------------------------------------ supports, prepare, run */

/** Asks of each node of a program whether the device takes it. */
typedef struct sy_supports_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  const sy_program* program;
  sy_verdict* verdicts; /**< out: one a node, `struct_size` set by the caller */
} sy_supports_args;
SY_ASSERT_SIZE(sy_supports_args, 40);

enum {                     /* what a kernel was specialised on, for each program input */
  SY_ON_SHAPE = 1u << 0,
  SY_ON_STRIDES = 1u << 1,
  SY_ON_DATA = 1u << 2,    /**< a host input's value */
  SY_ON_ALL = 7u
};

/** Who knows the shape of an output, and when. */
typedef int32_t sy_output_mode;
enum {
  SY_OUTPUT_EXACT = 0,   /**< the host knows the shape and allocates it */
  SY_OUTPUT_BOUNDED = 1, /**< the host allocates the bound; the extents come with completion */
  SY_OUTPUT_DEFERRED = 2 /**< `run` waits for what it needs and takes storage from the host */
};

#define SY_MAX_RANK 32 /* of a tensor */
/** What `prepare` says of one output. The caller sets struct_size and both arrays, which are
 * SY_MAX_RANK long, and zeroes the rest, which means: exact, contiguous, no aliasing. The rank and
 * the extents of a run's output follow from the inputs of that run, and are those of the program
 * that was prepared only as far as the kernel is specialised on these inputs. */
typedef struct sy_output_plan {
  uint32_t struct_size;
  sy_output_mode mode;       /**< out */
  uint64_t may_alias_inputs; /**< out: bit k < 64: may be the identical view of program input k */
  uint32_t proposes_strides; /**< out: 1 if `strides` holds a proposal, which may be declined */
  uint32_t rank;             /**< out, with a bound or strides */
  int64_t* bound;            /**< out: largest extents, for BOUNDED */
  int64_t* strides;          /**< out: a permutation of contiguous */
} sy_output_plan;
SY_ASSERT_SIZE(sy_output_plan, 40);

/** What `prepare` says of one constant input. The caller sets struct_size and zeroes the rest. */
typedef struct sy_packed_constant {
  uint32_t struct_size;
  uint32_t original_unneeded; /**< out: 1 if no kernel, this or a later one, needs the original */
  sy_constant packed;         /**< out: null if none; each return counts one reference for
                                   release_constant */
  uint64_t size_bytes;        /**< out: memory that `packed` holds */
} sy_packed_constant;
SY_ASSERT_SIZE(sy_packed_constant, 24);

#define SY_WORKSPACE_PER_RUN UINT64_MAX /* the slot `workspace` is asked before each run */

enum { SY_KERNEL_BINDINGS = 1u << 0 }; /* sy_prepare_args.flags: sy_run_args.binding is wanted */

/** Makes a kernel. SY_UNSUPPORTED sends the program to the next device. Equal constant ids may
 * share one packed constant among kernels. */
typedef struct sy_prepare_args {
  uint32_t struct_size;
  uint32_t flags;                /**< out: SY_KERNEL_*, preset to 0 */
  const sy_extension* extensions;
  sy_device device;
  const sy_program* program;
  sy_kernel kernel;              /**< out */
  uint64_t workspace_bytes;      /**< out: scratch memory of a run, aligned as storages are; or
                                      SY_WORKSPACE_PER_RUN */
  uint8_t* specialised_on;       /**< out: SY_ON_* for each program input, preset to SY_ON_ALL */
  sy_output_plan* outputs;       /**< out: one a program output */
  sy_packed_constant* constants; /**< out: one a program input, used for constants */
} sy_prepare_args;
SY_ASSERT_SIZE(sy_prepare_args, 72);

/** For destroy_kernel. */
typedef struct sy_kernel_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_kernel kernel;
} sy_kernel_args;
SY_ASSERT_SIZE(sy_kernel_args, 24);

/** For release_constant: one reference less. */
typedef struct sy_constant_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;
  sy_constant constant;
} sy_constant_args;
SY_ASSERT_SIZE(sy_constant_args, 32);

/** An input or output of a run: handles and values only, so that a proxy can carry it elsewhere. A
 * host input or immediate is copied by the plugin if it is needed after `run` returns. */
typedef struct sy_tensor {
  uint32_t struct_size;
  sy_dtype dtype;
  uint64_t storage;       /**< a storage; a host input: pointer to contiguous host memory; an input
                               left out, an immediate, or a constant whose original was let go: 0 */
  uint64_t offset_bytes;  /**< of the element whose indices are all 0 */
  const int64_t* shape;   /**< may be null if rank is 0 */
  const int64_t* strides; /**< null: contiguous */
  uint32_t rank;
  uint32_t reserved;
  uint8_t immediate[16];
} sy_tensor;
SY_ASSERT_SIZE(sy_tensor, 64);

/** Gives storage to a deferred output while `run` is on the caller's thread. Call it once each:
 * SY_INVALID answers a second call, an output that is not deferred, a rank beyond SY_MAX_RANK and
 * an extent below 0. */
typedef struct sy_output_allocator {
  uint32_t struct_size;
  uint32_t reserved;
  void* context;
  sy_status (*allocate)(void* context, uint32_t output, uint32_t rank, const int64_t* shape,
                        sy_storage* storage, uint64_t* offset_bytes);
} sy_output_allocator;
SY_ASSERT_SIZE(sy_output_allocator, 24);

/** Enqueues a kernel. Storages live until the returned number has completed. Zero-size tensors may
 * have storage 0. Inputs may overlap each other; an output overlaps an input only as the identical
 * view that `may_alias_inputs` allowed. */
typedef struct sy_run_args {
  uint32_t struct_size;
  uint32_t input_count;
  const sy_extension* extensions;
  sy_stream stream;
  sy_kernel kernel;
  const sy_tensor* inputs;              /**< in the order of the program's inputs */
  const sy_tensor* outputs;             /**< deferred ones: only dtype is set */
  uint32_t output_count;
  uint32_t reserved;
  sy_storage workspace;                 /**< 0 if none was asked for; used until the run is over */
  uint64_t workspace_offset_bytes;
  int64_t* const* extents;              /**< for each bounded output, `rank` numbers in host memory,
                                             written by the time the run has completed; null where
                                             not bounded */
  const sy_output_allocator* allocator; /**< null if no output is deferred */
  uint64_t binding;                     /**< two runs of a kernel with one number have the same
                                             tensors: storages, offsets, shapes, strides,
                                             immediates, workspace. 0: not known; with host inputs,
                                             and of kernels without SY_KERNEL_BINDINGS, always */
  uint64_t sequence;                    /**< out */
} sy_run_args;
SY_ASSERT_SIZE(sy_run_args, 104);

/** How much scratch memory a run needs that is about to be made. */
typedef struct sy_workspace_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  const sy_run_args* run; /**< without its workspace and binding */
  uint64_t size_bytes;    /**< out: 0 for none */
} sy_workspace_args;
SY_ASSERT_SIZE(sy_workspace_args, 32);

/** For leave. */
typedef struct sy_leave_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  const sy_host* host;
} sy_leave_args;
SY_ASSERT_SIZE(sy_leave_args, 24);

/* ------------------------------------------------------------------ the plugin's table */

/** Slots marked "required" must be set; the host refuses a plugin that lacks one, naming it. The
 * others may be null, with the default that the comment gives. */
typedef struct sy_plugin {
  uint32_t struct_size;
  uint32_t abi_version;           /**< the version agreed on */
  const sy_extension* extensions; /**< may be null */
  const char* name;               /**< "example": for messages; the config's name for it counts */
  const char* version;            /**< of the plugin itself, "1.4.2" */
  const char* build;              /**< how it was built, for reports: "gcc 12, asan"; may be null */

  /** Lists the devices, quickly and without starting one. Required. May be called again. */
  sy_status (*probe)(sy_probe_args* args, sy_error* error);
  /** Starts a device. Required. */
  sy_status (*open_device)(sy_open_device_args* args, sy_error* error);
  sy_status (*close_device)(sy_device_args* args, sy_error* error); /**< required */
  /** Makes a failed device usable. Default: it is. When it returns, with success or without, no
   * work of a lost device runs any more: until then the host keeps the memory that such work uses.
   * A plugin without it promises that none runs once it has said SY_DEVICE_LOST. Once it has
   * succeeded, a lost device's old handles are dead. */
  sy_status (*recover)(sy_device_args* args, sy_error* error);
  /** Writes a short text about the state of a device, for `doctor`. Default: writes nothing. */
  sy_status (*report)(sy_report_args* args, sy_error* error);
  /** The host that the entry was given is done with the plugin: its devices are closed, and nothing
   * is called for it again unless the entry is given it once more. Default: no-op. */
  sy_status (*leave)(sy_leave_args* args, sy_error* error);

  /* Memory. */
  sy_status (*allocate)(sy_allocate_args* args, sy_error* error); /**< required */
  /** The host has seen all work on the storage complete, unless the plugin caches memory itself:
   * then work already enqueued on the stream that allocated it may still use it. Required. */
  sy_status (*release)(sy_storage_args* args, sy_error* error);
  sy_status (*import_memory)(sy_import_args* args, sy_error* error); /**< default: SY_UNSUPPORTED */
  sy_status (*export_memory)(sy_export_args* args, sy_error* error); /**< likewise */
  /** Host memory for copies: each two or none. Default: SY_UNSUPPORTED, and copies take any. */
  sy_status (*allocate_host)(sy_host_memory_args* args, sy_error* error);
  sy_status (*release_host)(sy_host_memory_args* args, sy_error* error);
  sy_status (*register_host)(sy_host_memory_args* args, sy_error* error);
  sy_status (*unregister_host)(sy_host_memory_args* args, sy_error* error);
  sy_status (*map)(sy_map_args* args, sy_error* error);              /**< required if MAPPABLE */
  sy_status (*unmap)(sy_storage_args* args, sy_error* error);        /**< required if MAPPABLE */
  sy_status (*trim)(sy_trim_args* args, sy_error* error);            /**< default: frees nothing */
  /** Counts the bytes used, cached and free. Default: zeros. */
  sy_status (*memory_statistics)(sy_memory_statistics_args* args, sy_error* error);
  sy_status (*copy)(sy_copy_args* args, sy_error* error);            /**< required */

  /* Streams and events. */
  sy_status (*create_stream)(sy_create_stream_args* args, sy_error* error); /**< required */
  sy_status (*destroy_stream)(sy_stream_args* args, sy_error* error);       /**< required */
  sy_status (*flush)(sy_stream_args* args, sy_error* error);                /**< default: no-op */
  sy_status (*completed)(sy_completed_args* args, sy_error* error);         /**< required */
  sy_status (*wait)(sy_wait_args* args, sy_error* error);                   /**< required */
  /** Default: SY_UNSUPPORTED, and a thread of the host waits. Flushes first. */
  sy_status (*notify)(sy_notify_args* args, sy_error* error);
  /** Events: all five or none. Default: the host waits for streams instead. */
  sy_status (*create_event)(sy_create_event_args* args, sy_error* error);
  sy_status (*destroy_event)(sy_event_args* args, sy_error* error);
  sy_status (*record_event)(sy_event_args* args, sy_error* error);
  sy_status (*wait_for_event)(sy_event_args* args, sy_error* error);
  sy_status (*wait_event)(sy_event_args* args, sy_error* error);
  sy_status (*elapsed_time)(sy_elapsed_time_args* args, sy_error* error); /**< default:
                                                                               SY_UNSUPPORTED */

  /* Programs. */
  sy_status (*supports)(sy_supports_args* args, sy_error* error);         /**< else by claims */
  sy_status (*prepare)(sy_prepare_args* args, sy_error* error);           /**< required */
  sy_status (*destroy_kernel)(sy_kernel_args* args, sy_error* error);     /**< required */
  sy_status (*release_constant)(sy_constant_args* args, sy_error* error); /**< if it packs */
  /** Required of kernels with SY_WORKSPACE_PER_RUN. */
  sy_status (*workspace)(sy_workspace_args* args, sy_error* error);
  sy_status (*run)(sy_run_args* args, sy_error* error);                   /**< required */
} sy_plugin;
SY_ASSERT_SIZE(sy_plugin, 40 + 37 * 8);

/* ------------------------------------------------------------------ entry */

/** What the host offers, and asks for, when it meets a plugin. */
typedef struct sy_entry_args {
  uint32_t struct_size;
  uint32_t min_version;    /**< the oldest ABI version that the host speaks */
  uint32_t max_version;    /**< the newest */
  uint32_t reserved;
  const sy_extension* extensions;
  const sy_host* host;
  const sy_plugin* plugin; /**< out: valid for ever; read up to its struct_size */
} sy_entry_args;
SY_ASSERT_SIZE(sy_entry_args, 40);

/** Checks the options, picks a version and hands over the table. Called before anything else, once
 * for each host in the process, that is for each set of options; it must not start a device.
 * SY_UNSUPPORTED if no version in the range is spoken: the host then reports both ranges from
 * `sy_error.message`. */
typedef sy_status (*sy_plugin_entry)(sy_entry_args* args, sy_error* error);
/** The one symbol of a plugin: a sy_plugin_entry. */
SY_EXPORT sy_status switchyard_plugin_entry(sy_entry_args* args, sy_error* error);

#ifdef __cplusplus
}
#endif
#endif /* SWITCHYARD_PLUGIN_H_ */
/* clang-format on */
