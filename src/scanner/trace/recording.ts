import type { FetchFailure } from '../../net/failure.js';
import type { RefusalReason } from '../../net/url-gate.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';

/** All exchanges of a scan as entries of a HAR file: enough to judge it again without a network. */
export interface Recording {
  readonly run: RecordedRun;
  /** In the order in which they ended. */
  readonly entries: readonly HarEntry[];
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
  /** Dates in ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly requestCount: number;
  /** True if the scan ended at its time limit. */
  readonly isOutOfTime: boolean;
  /** Requests that the limits kept from being sent. */
  readonly unsent: readonly UnsentRequest[];
  /** URLs that the guard refused before anything was looked up. */
  readonly refused: readonly { readonly url: string; readonly reason: RefusalReason }[];
}

export interface UnsentRequest {
  /** See `replayKey`. */
  readonly key: string;
  readonly failure: FetchFailure;
}

/** One request and its response, without redirects (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/). */
export interface HarEntry {
  readonly startedDateTime: string;
  /** Milliseconds until the last byte that was read, or until the failure. */
  readonly time: number;
  readonly request: HarRequest;
  readonly response: HarResponse;
}

export interface HarRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: readonly HarField[];
  readonly postData?: { readonly mimeType: string; readonly text: string };
}

/** Names that begin with `_` are our own. */
export interface HarResponse {
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: readonly HarField[];
  readonly content: HarContent;
  /** Why there was no response, or not a whole one. */
  readonly _error?: FetchFailure;
  /** True if the scan stopped reading before the end of the body. */
  readonly _isAbandoned?: true;
}

export interface HarField {
  readonly name: string;
  readonly value: string;
}

export interface HarContent {
  readonly size: number;
  readonly mimeType: string;
  readonly text: string;
  readonly encoding?: 'base64';
  /** True if the content coding could not be undone, so that these are the bytes as sent. */
  readonly _isCoded?: true;
  readonly comment?: string;
}

/** Limits of a recording. */
export const RECORDING_LIMITS = {
  exchangesMax: SCAN_LIMITS.requestsMax,
  unsentMax: 2000,
  bytesMax: 64 * 1_048_576,
} as const;
