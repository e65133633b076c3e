import type { Words } from '../words.js';
import { term } from '../words.js';

/** Why a fetch brought no complete answer, and the words that a finding uses for it. */
export const FETCH_FAILURES = {
  target_refused: 'the address is not one that this scanner may visit',
  name_not_found: 'the host name does not exist in the DNS',
  dns_failed: 'the DNS gave no address for the host name',
  connect_failed: 'the connection was refused or the network could not be reached',
  connect_timeout: 'the connection was not set up within 5 seconds',
  tls_expired: 'the TLS certificate has expired',
  tls_wrong_host: 'the TLS certificate is for another host',
  tls_untrusted: 'the TLS certificate is not signed by a trusted authority',
  tls_failed: 'the TLS handshake failed',
  reset: 'the connection broke before the answer was complete',
  stalled: 'the answer did not come in time',
  cut_off: 'the server cut the body off before its end',
  bad_encoding: 'the content coding of the body could not be decoded',
  headers_too_large: 'the header fields are over 16 KiB',
  bad_protocol: 'the answer is not valid HTTP',
  redirect_loop: 'the redirects run in a circle or are more than 5',
  bad_redirect: 'a redirect has no usable Location',
  budget_spent: 'the request budget of the run was spent',
  run_deadline: 'the time of the run was up',
} as const;
export type FetchFailure = keyof typeof FETCH_FAILURES;

export function describeFailure(failure: FetchFailure): Words {
  return term(FETCH_FAILURES[failure]);
}
