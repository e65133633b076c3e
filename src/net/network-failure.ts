import type { FetchFailure } from './failure.js';
import { TransportError } from './transport.js';

/** Error codes of Node, OpenSSL and undici; others follow the rules below. */
const FAILURES: Readonly<Record<string, FetchFailure>> = {
  ECONNREFUSED: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  EHOSTDOWN: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  ENETDOWN: 'connect_failed',
  EADDRNOTAVAIL: 'connect_failed',
  EACCES: 'connect_failed',
  EPERM: 'connect_failed',
  EINVAL: 'connect_failed',
  ETIMEDOUT: 'connect_timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  CERT_HAS_EXPIRED: 'tls_expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'tls_outdated',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'tls_outdated',
  EPROTO: 'tls_failed',
  UND_ERR_HEADERS_TIMEOUT: 'stalled',
  UND_ERR_BODY_TIMEOUT: 'stalled',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  EMFILE: 'no_resources',
  ENFILE: 'no_resources',
  ENOBUFS: 'no_resources',
  ENOMEM: 'no_resources',
};
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|ERR_OSSL_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)/;
const BROKEN_CODES = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

/** Phase of an exchange: a connection that breaks is a reset before the header fields, and a cut body after them. */
export type ExchangePhase = 'headers' | 'body';

/** Converts any error of an exchange to a TransportError. */
export function toTransportError(error: unknown, phase: ExchangePhase): TransportError {
  if (error instanceof TransportError) return error;
  return new TransportError(failureOf(codeOf(error), phase), { cause: error });
}

function failureOf(code: string, phase: ExchangePhase): FetchFailure {
  if (BROKEN_CODES.has(code)) return phase === 'headers' ? 'reset' : 'cut_off';
  // In the header phase, undici reports duplicate Content-Length this way.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return phase === 'headers' ? 'bad_protocol' : 'cut_off';
  const known = FAILURES[code];
  if (known !== undefined) return known;
  return TLS_CODE.test(code) ? 'tls_failed' : 'bad_protocol';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
