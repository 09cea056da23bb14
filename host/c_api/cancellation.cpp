#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using namespace switchyard::c_api;

swy_status* swy_cancellation_token_create(swy_cancellation_token** out_token) {
  return guarded([&] {
    swy_cancellation_token*& out = required(out_token, "out_token");
    out = new swy_cancellation_token();
  });
}

void swy_cancellation_token_cancel(swy_cancellation_token* token) {
  if (token) token->value.cancel();
}
void swy_cancellation_token_reset(swy_cancellation_token* token) {
  if (token) token->value.reset();
}

void swy_cancellation_token_retain(swy_cancellation_token* token) { retain(token); }
void swy_cancellation_token_release(swy_cancellation_token* token) { release(token); }
