import type { FetchFailure } from '../../net/failure.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { FieldLine } from '../../net/transport.js';
import type { RefusalReason } from '../../net/refusal.js';

/** All exchanges of a scan: enough to judge it again without a network. */
export interface Recording {
  readonly run: RecordedRun;
  /** In the order in which they ended. */
  readonly exchanges: readonly RecordedExchange[];
}

/** What a replay needs besides the exchanges. */
export interface RecordedRun {
  /** Version of the package that recorded it. */
  readonly version: string;
  /** The origin that was scanned. */
  readonly origin: string;
  readonly isOwnershipVerified: boolean;
  /** Pages that were chosen for the sample. */
  readonly pages?: readonly string[];
  /** Part of the User-Agent. */
  readonly infoUrl: string | null;
  /** Seed of the names of controls; see `controlNames`. */
  readonly controlSeed: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly requestCount: number;
  /** True if the scan ended at its time limit. */
  readonly isOutOfTime: boolean;
  /** Requests that the limits kept from being sent. */
  readonly unsent: readonly UnsentRequest[];
  /** URLs that the guard refused before anything was looked up. */
  readonly refused: readonly { readonly url: string; readonly reason: RefusalReason }[];
}

export interface UnsentRequest {
  /** See {@link replayKey}. */
  readonly key: string;
  readonly failure: FetchFailure;
}

/** One request and its response, without redirects. */
export interface RecordedExchange {
  readonly request: RecordedRequest;
  readonly startedAt: Date;
  /** Time until the last byte that was read, or until the failure. */
  readonly durationMs: number;
  /** Null if the exchange failed before its header fields were complete. */
  readonly response: RecordedResponse | null;
  /** Why there is no response, or not a whole one. */
  readonly failure: FetchFailure | null;
}

export interface RecordedRequest {
  readonly method: 'GET' | 'POST';
  /** Without fragment. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface RecordedResponse {
  readonly status: number;
  /** As received. */
  readonly headers: readonly FieldLine[];
  /** Still in its content coding, as far as it was read. */
  readonly body: Uint8Array;
  /** True if the scan stopped reading before the end of the body. */
  readonly isAbandoned: boolean;
}

/** Limits of a recording. */
export const RECORDING_LIMITS = {
  exchangesMax: SCAN_LIMITS.requestsMax,
  unsentMax: 2000,
  bytesMax: 64 * 1_048_576,
} as const;

/** Fields that may hold a secret. */
const SECRET_FIELDS = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'proxy-authorization',
  'set-cookie',
  'set-cookie2',
]);

/** True if a recording keeps this header field. */
export function isRecordedField(name: string): boolean {
  return !SECRET_FIELDS.has(name.toLowerCase());
}

/** Key of requests that a replay treats as equal. */
export function replayKey({ method, url, headers, body }: RecordedRequest): string {
  return JSON.stringify([method, url, headers['user-agent'] ?? '', headers.accept ?? '', body ?? '']);
}
