/** Reasons why a fetch has no complete response, with the phrase that findings use. */
export const FETCH_FAILURES = {
  target_refused: 'this scanner only visits public addresses on the standard ports, and no excluded hosts',
  name_not_found: 'the host name does not exist in DNS',
  dns_failed: 'DNS gives no address for the host name',
  dns_silent: 'the DNS resolver of the scanning machine does not answer',
  connect_failed: 'the server refuses the connection or cannot be reached',
  connect_timeout: 'the server does not accept a connection within 5 seconds',
  tls_expired: 'the TLS certificate has expired',
  tls_wrong_host: 'the TLS certificate does not cover the host name',
  tls_untrusted: 'the TLS certificate is not from a trusted authority, or its chain is incomplete',
  tls_outdated: 'the server only supports TLS versions older than 1.2',
  tls_failed: 'the TLS handshake failed',
  reset: 'the connection breaks before an answer comes',
  stalled: 'no complete answer comes in time',
  cut_off: 'the server cuts off its answer before it is complete',
  ends_early: 'the compressed data in the answer ends before it is complete',
  bad_encoding: 'the body cannot be decompressed as its Content-Encoding says',
  headers_too_large: 'the header fields are larger than 16 KiB',
  bad_protocol: 'the answer is not valid HTTP',
  redirect_loop: 'the redirects go round in a circle, or there are more than 5',
  bad_redirect: 'a redirect has no usable Location header',
  budget_spent: 'the run has used up its requests',
  foreign_spent: 'the run has used up its requests to other sites',
  run_deadline: 'the run has reached its time limit',
  no_resources: 'the scanner itself has no connection to spare',
} as const;
export type FetchFailure = keyof typeof FETCH_FAILURES;

/** A fetch without a complete response. */
export interface FailedFetch {
  readonly failure: FetchFailure;
  /** Set if the requested URL (`from`) redirected to the one that failed. */
  readonly redirect?: { readonly from: URL; readonly to: URL };
}
