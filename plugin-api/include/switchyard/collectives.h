/** @file
 * An extension of the plugin ABI: collectives, that is work in which several devices take part, of
 * one process or of many.
 *
 * A plugin that has them puts a sy_collectives into its table's extension chain. A *communicator*
 * joins `count` devices, of which each is a *rank*, from 0 on. One rank makes an id, the program
 * carries its bytes to the others, and each rank creates its end of the communicator with it. The
 * conventions of plugin.h hold; besides:
 *
 *  1. Order. All ranks of a communicator make the same collectives, but for sends and receives, in
 *     the same order, with the same kind, dtype, reduction, count and root. A send and the receive
 *     that answers it have the same dtype and count; those between two ranks in one direction are
 *     matched in order. A plugin that can tell that ranks disagree fails the communicator with
 *     SY_INVALID, on every rank, and says which rank asked for what. One that cannot fails when
 *     the time is up; it never reads or writes beyond the regions that it was given.
 *  2. Groups. `enqueue` takes one collective or several, which are a group: all are under way
 *     before any is waited for, so that one thread may call for several ranks, and two ranks may
 *     send to each other. In a group those of one communicator name one stream; those that are no
 *     sends or receives go in the order of the array; else there is no order. A group is one piece
 *     of work on each stream that it names: it takes that stream's next number, once. Two
 *     collectives of a group do not touch one byte that either writes.
 *  3. Waiting. On asynchronous devices `enqueue` does not wait for other ranks, and the work starts
 *     without a flush, as other ranks wait for it. On synchronous ones it returns when all is over.
 *     Work on a stream comes after what was enqueued there before: two ranks on one stream are in
 *     one group, or wait for each other until the time is up.
 *  4. Results. An ALL_REDUCE gives all ranks the same bits.
 *  5. Failure. A rank that is aborted or destroyed before its work is done, whose process ends, or
 *     that does not come within the time limit, fails the communicator: the work of the others ends
 *     with SY_PEER_LOST when their time is up at the latest, and what it wrote has no particular
 *     value. The devices are well. A communicator that has failed stays so: `check` tells the
 *     failure, `enqueue` returns it, and work that was enqueued before ends with it. Until then
 *     other communicators are not concerned, but for work behind it on the same stream.
 *  6. Callers. One caller at a time names a communicator, `abort` and `check` excepted, which any
 *     thread may call while others are in `enqueue`. What is enqueued on another stream than before
 *     comes after the communicator's earlier work, as the caller sees to by events or waits. It
 *     belongs to the device it was created for, and is destroyed before that is closed, when its
 *     work is over. It does not cross a fork().
 */
/* Aligned by hand. */
/* clang-format off */
#ifndef SWITCHYARD_COLLECTIVES_H_
#define SWITCHYARD_COLLECTIVES_H_

#include <switchyard/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SY_EXTENSION_COLLECTIVES 4u /* a sy_collectives, in sy_plugin.extensions */

#define SY_COMMUNICATOR_ID_BYTES 128

/** One rank's end of a communicator: create .. destroy. */
typedef struct sy_communicator_object* sy_communicator;

/** Makes an id that no other communicator has or had, in any process that may join. It may be used
 * for one communicator, once. */
typedef struct sy_communicator_id_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_device device;                     /**< of the rank that makes it */
  uint8_t id[SY_COMMUNICATOR_ID_BYTES]; /**< out: bytes without a meaning to anyone else */
} sy_communicator_id_args;
SY_ASSERT_SIZE(sy_communicator_id_args, 152);

/** One rank of a communicator that is being created. */
typedef struct sy_communicator_rank {
  uint32_t struct_size;
  uint32_t rank;                /**< below `rank_count` */
  sy_device device;
  sy_communicator communicator; /**< out */
} sy_communicator_rank;
SY_ASSERT_SIZE(sy_communicator_rank, 24);

/** Joins a communicator with the ranks that this caller makes, and waits until all ranks have.
 * SY_INVALID: a rank is taken or out of range, or another caller has another `rank_count`.
 * SY_PEER_LOST: the others did not come within the time limit. Where it fails no handle is made,
 * and the id is used up. */
typedef struct sy_create_communicator_args {
  uint32_t struct_size;
  uint32_t rank_count;                 /**< of the whole communicator, at least 1 */
  const sy_extension* extensions;
  uint8_t id[SY_COMMUNICATOR_ID_BYTES];
  sy_communicator_rank* ranks;         /**< this caller's; no device twice */
  uint32_t count;                      /**< of them, at least 1 */
  uint32_t reserved;
  uint64_t timeout_milliseconds;       /**< the longest that this call, and later work of these
                                            ranks, waits for others without moving; 0: for ever */
} sy_create_communicator_args;
SY_ASSERT_SIZE(sy_create_communicator_args, 168);

/** For destroy, abort and check. */
typedef struct sy_communicator_args {
  uint32_t struct_size;
  uint32_t reserved;
  const sy_extension* extensions;
  sy_communicator communicator;
} sy_communicator_args;
SY_ASSERT_SIZE(sy_communicator_args, 24);

/** What a collective does. `n` is its `count`; a "block" of rank r is the n elements from n * r on.
 * All regions are contiguous. */
typedef int32_t sy_collective_kind;
enum {
  SY_ALL_REDUCE = 1,     /**< n elements of each rank, reduced; all get the n results */
  SY_ALL_GATHER = 2,     /**< n elements of each rank; all get the blocks of all ranks */
  SY_REDUCE_SCATTER = 3, /**< the blocks of all ranks of each rank; each gets its own, reduced */
  SY_BROADCAST = 4,      /**< n elements of the rank `peer`; all get them */
  SY_SEND = 5,           /**< n elements to the rank `peer`, not itself */
  SY_RECEIVE = 6         /**< n elements from the rank `peer`, not itself */
};

/** How elements of several ranks become one. */
typedef int32_t sy_reduction;
enum {
  SY_REDUCE_NONE = 0,
  SY_REDUCE_SUM = 1,     /**< of integers modulo 2 to the power of their bits */
  SY_REDUCE_PRODUCT = 2, /**< likewise */
  SY_REDUCE_MIN = 3,     /**< NaN if any is; of bools their AND */
  SY_REDUCE_MAX = 4,     /**< NaN if any is; of bools their OR */
  SY_REDUCE_AVERAGE = 5, /**< the sum, divided by the number of ranks */
  SY_REDUCTION_LIMIT = 8 /**< above every sy_reduction of later versions, too */
};

/** One collective of a group. `input` and `output` of a kind that writes what it reads may be in
 * place: the same region; of ALL_GATHER the input is the rank's own block of the output, and of
 * REDUCE_SCATTER the output the rank's own block of the input. Else they do not overlap. Storages
 * live until the work is over; those of regions without an element, and those that a kind does not
 * have, are 0. */
typedef struct sy_collective {
  uint32_t struct_size;
  sy_collective_kind kind;
  sy_communicator communicator;
  sy_stream stream;             /**< of the communicator's device */
  sy_dtype dtype;               /**< one whose elements are whole bytes */
  sy_reduction reduction;       /**< of ALL_REDUCE and REDUCE_SCATTER, else NONE */
  uint64_t count;               /**< may be 0: the other ranks are waited for all the same */
  sy_storage input;             /**< not of RECEIVE; of BROADCAST the root's alone */
  uint64_t input_offset_bytes;
  sy_storage output;            /**< not of SEND */
  uint64_t output_offset_bytes;
  uint32_t peer;                /**< of BROADCAST, SEND and RECEIVE; else 0 */
  uint32_t reserved;
  uint64_t sequence;            /**< out: the group's number on `stream` */
} sy_collective;
SY_ASSERT_SIZE(sy_collective, 88);

/** Enqueues a group. The call is the one caller of each stream and communicator that it names.
 * SY_TRANSIENT, SY_OUT_OF_MEMORY and SY_UNSUPPORTED, and of an asynchronous device any failure, say
 * that nothing was enqueued. */
typedef struct sy_enqueue_collectives_args {
  uint32_t struct_size;
  uint32_t count;                 /**< at least 1 */
  const sy_extension* extensions; /**< may be null */
  sy_collective* collectives;
} sy_enqueue_collectives_args;
SY_ASSERT_SIZE(sy_enqueue_collectives_args, 24);

enum { /* sy_collectives.flags */
  SY_COLLECTIVES_ACROSS_PROCESSES = 1u << 0, /**< ranks may be in several processes of a machine */
  SY_COLLECTIVES_ACROSS_MACHINES = 1u << 1   /**< and on several machines */
};

/** What a plugin with collectives puts into its table's chain. All slots are required. */
typedef struct sy_collectives {
  sy_extension link;      /**< kind: SY_EXTENSION_COLLECTIVES */
  uint32_t flags;         /**< SY_COLLECTIVES_* */
  uint32_t max_ranks;     /**< of a communicator; 0: no limit */
  uint64_t moved_dtypes;  /**< that collectives without a reduction take */
  uint64_t reduced_dtypes[SY_REDUCTION_LIMIT]; /**< that each sy_reduction takes; of NONE, 0 */
  sy_status (*make_id)(sy_communicator_id_args* args, sy_error* error);
  sy_status (*create)(sy_create_communicator_args* args, sy_error* error);
  /** Waits for nobody. Ranks that have still to do with this one see it as lost. */
  sy_status (*destroy)(sy_communicator_args* args, sy_error* error);
  /** Fails this rank's end with SY_PEER_LOST: its work ends soon, and calls that wait return. The
   * handle is still to be destroyed. */
  sy_status (*abort)(sy_communicator_args* args, sy_error* error);
  /** SY_OK as long as the communicator may be used, else what it failed with, at each call. Waits
   * for nothing. */
  sy_status (*check)(sy_communicator_args* args, sy_error* error);
  sy_status (*enqueue)(sy_enqueue_collectives_args* args, sy_error* error);
} sy_collectives;
SY_ASSERT_SIZE(sy_collectives, 144);

#ifdef __cplusplus
}
#endif
#endif /* SWITCHYARD_COLLECTIVES_H_ */
/* clang-format on */
