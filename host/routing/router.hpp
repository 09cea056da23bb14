#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <switchyard/error.hpp>
#include <vector>

#include "routing/call.hpp"
#include "routing/policy.hpp"
#include "routing/route.hpp"
#include "routing/route_cache.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// No device takes a call: each refused, failed, or is not there.
class NoDevice : public Error {
 public:
  NoDevice(ErrorKind kind, const std::string& line, Trail trail)
      : Error(kind, line), trail_(std::make_shared<const Trail>(std::move(trail))) {}

  /// What each said.
  const Trail& trail() const { return *trail_; }

 private:
  std::shared_ptr<const Trail> trail_;
};

/// Who the device order gives a call to.
struct Choice {
  std::shared_ptr<OpenDevice> device;  // null: nobody
  Trail trail;                         // the device last
};

/// Routes calls by the device order and keeps what it found. Any thread may call it.
///
/// Candidates are asked in order: the device that the call names (host work: host_device) or else
/// the op's pin, then routing.order, each once. The first whose verdict is not a refusal and whose
/// kernel can be prepared is taken; the refusals before it are the trail. A failure while a kernel
/// is prepared is a refusal too, since nothing was enqueued; wrong use by the caller is not, and is
/// thrown.
///
/// A route is cached by all that it may depend on, but not if it came about in a way that may be
/// over at the next call: a device was quarantined, failed, or could not be opened for now, or the
/// request excludes devices that failed in this call. A cached route is used while its device is
/// neither quarantined nor of another generation than its kernel, and the policy is the one that it
/// came about under. Two threads that miss together
/// both prepare; the later one replaces the earlier route, and each runs its own.
class Router {
 public:
  explicit Router(RoutingPolicy policy);

  /// What the configuration says now. It stays so for whoever holds it.
  std::shared_ptr<const RoutingPolicy> policy() const;
  /// Routes by another policy from now on; a call that is being routed goes by either.
  void set_policy(std::shared_ptr<const RoutingPolicy> policy);
  /// Another number with each policy: what was planned under the one before is to be planned anew.
  std::uint64_t policy_number() const { return policy_number_.load(std::memory_order_acquire); }
  FallbackLedger& ledger() { return ledger_; }

  /// The route for a call whose shapes and host inputs are known. Throws NoDevice with all
  /// refusals, Error(unsupported) if the fallback is denied, Error(model) if the inputs break the
  /// op's rules.
  std::shared_ptr<const Route> route(const RouteRequest& request);

  /// The device that `route` would try first, without preparing anything. Throws Error(model) if
  /// the inputs break the op's rules.
  Choice choose(const RouteRequest& request) const;

  /// Reports that another device runs a call than the one it asked for. Gives what is to be counted
  /// when the call has run, null if it is not a fallback. Throws Error(unsupported) if it is
  /// denied.
  LedgerEntry* record_fallback(const CallSite& site, const OpenDevice& chosen, const Trail& trail);

  /// The same of a kernel of the host that takes the place of the devices: a fallback where one of
  /// them has a claim about the op and refused this call.
  LedgerEntry* record_host_kernel(const CallSite& site, const Trail& trail);
  /// Why it may not; "" if it may.
  std::string why_host_kernel_denied(const CallSite& site, const Trail& trail) const;

  /// Why the call may not run on the first device of the trail that takes it: "" if it may.
  std::string why_denied(const CallSite& site, const Trail& trail) const;

  /// Whether some device that the call may go to has a claim about its op, or may yet open and have
  /// one. If not, `route` is sure to throw.
  bool may_be_claimed(const CallSite& site) const;

  /// Every candidate's verdict, without preparing anything; shapes may be unknown. The first that
  /// is not refused would be chosen.
  Trail explain(const RouteRequest& request) const;

  /// Drops the routes and kernels of constants that are gone.
  void forget(std::span<const std::uint64_t> constant_ids);

  const RouteCache& cache() const { return cache_; }

 private:
  struct Fallback;

  /// Of a trail that another policy has led to there may be none.
  /// @{
  std::optional<Fallback> fallback_of(const CallSite& site, const OpenDevice& chosen,
                                      const Trail& trail) const;
  std::optional<Fallback> host_fallback_of(const CallSite& site, const Trail& trail) const;
  /// @}
  /// Why the configuration does not let a call fall back; "" if it does, or it is none.
  /// @{
  static std::string denial_of(const std::optional<Fallback>& fallback, std::string_view to,
                               std::string_view remedy);
  static std::string denial_of(const CallSite& site, const std::optional<Fallback>& fallback,
                               const OpenDevice& chosen);
  static std::string denial_of_host_kernel(const std::optional<Fallback>& fallback);
  /// @}
  /// Throws Error(unsupported) unless the denial is "".
  static void refuse_if_denied(const CallSite& site, const Fallback& fallback,
                               const std::string& denial);
  LedgerEntry& record(const CallSite& site, const Fallback& fallback, const std::string& to);
  std::shared_ptr<Route> build(const RouteRequest& request);
  Verdict try_device(OpenDevice& device, const RouteRequest& request,
                     std::span<const ValueInfo> outputs, Route& route);
  Verdict prepare_on(OpenDevice& device, const RouteRequest& request,
                     std::span<const ValueInfo> outputs, Route& route);
  Verdict verdict_of(const Candidate& candidate, const RouteRequest& request,
                     std::span<const ValueInfo> outputs) const;

  mutable trace::QuietMutex policy_guard_;
  std::shared_ptr<const RoutingPolicy> policy_;
  std::atomic<std::uint64_t> policy_number_{1};
  FallbackLedger ledger_;
  RouteCache cache_;
};

}  // namespace switchyard
