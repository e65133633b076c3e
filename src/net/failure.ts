/** Reasons why a fetch has no complete response, with the phrase that findings use. */
export const FETCH_FAILURES = {
  target_refused: 'this scanner only visits public addresses on the standard ports, and no excluded hosts',
  name_not_found: 'the host name does not exist in DNS',
  dns_failed: 'DNS has no address for the host name',
  dns_silent: 'the DNS resolver of the scanning machine does not answer',
  connect_failed: 'the server refuses the connection or cannot be reached',
  connect_timeout: 'the server does not accept a connection within 5 seconds',
  tls_expired: 'the TLS certificate has expired',
  tls_wrong_host: 'the TLS certificate does not cover the host name',
  tls_untrusted: 'the TLS certificate is not from a trusted authority, or its chain is incomplete',
  tls_outdated: 'the server only supports TLS versions older than 1.2',
  tls_failed: 'the TLS handshake failed',
  reset: 'the connection breaks before the server responds',
  stalled: 'no complete response arrives in time',
  cut_off: 'the server ends the response before it is complete',
  ends_early: 'the compressed response is incomplete',
  bad_encoding: 'the body does not match its Content-Encoding',
  headers_too_large: 'the header fields are larger than 16 KiB',
  bad_protocol: 'the response is not valid HTTP',
  redirect_loop: 'the redirects form a loop, or there are more than 5',
  bad_redirect: 'a redirect has no usable Location header',
  budget_spent: 'the run has used up its requests',
  external_spent: 'the run has used up its requests to other sites',
  run_deadline: 'the run has reached its time limit',
  no_resources: 'the scanner has no free connections',
} as const;
export type FetchFailure = keyof typeof FETCH_FAILURES;

/** A fetch without a complete response. */
export interface FailedFetch {
  readonly failure: FetchFailure;
  /** Set if the requested URL (`from`) redirected to the one that failed. */
  readonly redirect?: { readonly from: URL; readonly to: URL };
}

export class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    readonly failure: FetchFailure,
    options?: ErrorOptions,
  ) {
    super(failure, options);
  }
}

/** Thrown during replay for a request that the recorded run never sent because of a limit. */
export class UnsentError extends TransportError {}

/** Returns why an exchange failed. @throws any other error, which is a bug */
export function failureOf(error: unknown): FetchFailure {
  if (error instanceof TransportError) return error.failure;
  throw error;
}

/** Error codes of Node, OpenSSL and undici; `failureOfCode` maps the rest. */
const CODES: Readonly<Partial<Record<FetchFailure, string>>> = {
  connect_failed: 'ECONNREFUSED EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EADDRNOTAVAIL EACCES EPERM EINVAL',
  connect_timeout: 'ETIMEDOUT UND_ERR_CONNECT_TIMEOUT',
  tls_expired: 'CERT_HAS_EXPIRED',
  tls_wrong_host: 'ERR_TLS_CERT_ALTNAME_INVALID',
  tls_untrusted:
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT ' +
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_UNTRUSTED CERT_REJECTED',
  tls_outdated: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION ERR_SSL_UNSUPPORTED_PROTOCOL',
  tls_failed: 'EPROTO',
  stalled: 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT',
  headers_too_large: 'UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW',
  no_resources: 'EMFILE ENFILE ENOBUFS ENOMEM',
};
const FAILURES = new Map(
  Object.entries(CODES).flatMap(([failure, codes]) => codes.split(' ').map((code) => [code, failure as FetchFailure])),
);
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|ERR_OSSL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/;
const BROKEN_CODES = new Set(
  'ECONNRESET EPIPE ECONNABORTED UND_ERR_SOCKET ERR_STREAM_PREMATURE_CLOSE HPE_INVALID_EOF_STATE'.split(' '),
);

/** The part of a response that was being read. A broken connection is `reset` before the body and `cut_off` during it. */
type Phase = 'headers' | 'body';

/** Converts any error of an exchange to a TransportError. */
export function toTransportError(error: unknown, phase: Phase): TransportError {
  if (error instanceof TransportError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return new TransportError(failureOfCode(code, phase), { cause: error });
}

function failureOfCode(code: string, phase: Phase): FetchFailure {
  if (BROKEN_CODES.has(code)) return phase === 'headers' ? 'reset' : 'cut_off';
  // In the header phase, undici reports duplicate Content-Length this way.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return phase === 'headers' ? 'bad_protocol' : 'cut_off';
  return FAILURES.get(code) ?? (TLS_CODE.test(code) ? 'tls_failed' : 'bad_protocol');
}
