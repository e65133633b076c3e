import type { FetchFailure } from '../../net/failure.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { FieldLine } from '../../net/transport.js';
import type { RefusalReason } from '../../net/refusal.js';

/** Everything that one scan asked and was answered: enough to judge it again without a network. */
export interface Recording {
  readonly run: RecordedRun;
  /** In the order in which they ended. */
  readonly exchanges: readonly RecordedExchange[];
}

/** What a scan knew apart from answers. */
export interface RecordedRun {
  /** Of the package that recorded it. */
  readonly version: string;
  /** The origin that was scanned. */
  readonly origin: string;
  readonly isOwnershipVerified: boolean;
  /** The page that was chosen for the sample. */
  readonly page?: string;
  /** The same, where there are several: the earlier versions knew one alone. */
  readonly pages?: readonly string[];
  /** Part of the User-Agent. */
  readonly infoUrl: string | null;
  /** What the names of the controls are made of; see `controlNames`. */
  readonly controlSeed: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly requestCount: number;
  /** Whether the scan ended at its time limit. */
  readonly isOutOfTime: boolean;
  /** Requests that the limits kept from being sent. */
  readonly unsent: readonly UnsentRequest[];
  /** URLs that the guard refused before anything was looked up. */
  readonly refused: readonly { readonly url: string; readonly reason: RefusalReason }[];
  /** Hosts and ports whose address was still being looked up when the scan ended. */
  readonly hungLookups: readonly string[];
}

export interface UnsentRequest {
  /** See {@link replayKey}. */
  readonly key: string;
  readonly failure: FetchFailure;
}

/** One request and what came of it, without redirects. */
export interface RecordedExchange {
  readonly request: RecordedRequest;
  readonly startedAt: Date;
  /** Until the last byte that was read, or the failure. */
  readonly durationMs: number;
  /** The IP address that answered, where it is known. */
  readonly address: string | null;
  /** Null if the exchange failed before its header fields were complete. */
  readonly response: RecordedResponse | null;
  /** Why there is no response, or no whole one. */
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
  /** As sent, with its content coding, as far as it was read. */
  readonly body: Uint8Array;
  /** The scan had seen enough before the body's end. */
  readonly isAbandoned: boolean;
  /** It was sent in chunks, so that its end was seen; the field that said so is left out. */
  readonly isChunked?: true;
}

/** What one record of a scan may hold: as much as a scan may fetch. */
export const RECORDING_LIMITS = {
  exchangesMax: SCAN_LIMITS.requestsMax,
  unsentMax: 2000,
  /** Of the run's own entry, and of the header fields of each other one. */
  entryBytesMax: 1_048_576,
  /** Bodies, and 16 MiB for everything around them. */
  bytesMax: SCAN_LIMITS.wireBytesMax + 16 * 1_048_576,
} as const;

/** Fields that may hold a secret, and those of the connection: the body is kept without its chunks. */
const LEFT_OUT = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'proxy-authorization',
  'set-cookie',
  'set-cookie2',
  'signature',
  'signature-agent',
  'signature-input',
  'transfer-encoding',
]);

/** Whether a header field is kept in a record. */
export function isRecordedField(name: string): boolean {
  return !LEFT_OUT.has(name.toLowerCase());
}

/** The key of requests that a replay takes for the same. */
export function replayKey({ method, url, headers, body }: RecordedRequest): string {
  return JSON.stringify([method, url, headers['user-agent'] ?? '', headers.accept ?? '', body ?? '']);
}
