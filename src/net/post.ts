import { readBody } from './body.js';
import { type FetchFailure, failureOf, TransportError } from './failure.js';
import type { Guard } from './guard.js';
import { canonicalUrl, type RefusalReason } from './url-gate.js';
import { openNetworkTransport, RefusedTargetError, type NetworkTransportOptions } from './network-transport.js';

/** A message to a URL that a user supplied. */
export interface PostRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The receiver's response, or why there is none. */
export type PostResult =
  { readonly status: number; readonly retryAfter: string | null } | { readonly failure: FetchFailure };

/** Sends the message once, through the guard. Redirects are not followed. Never rejects. */
export type Post = (request: PostRequest) => Promise<PostResult>;

export interface PosterOptions extends Omit<NetworkTransportOptions, 'guard' | 'limits'> {
  readonly guard: Guard;
  /** Time limit from name resolution to the last header field of the response. */
  readonly deadlineMs?: number;
  /** For the log: why a target was refused, which users must not see. */
  readonly onRefused?: (url: URL, reason: RefusalReason) => void;
}

/** Standard Webhooks recommends 15 to 30 seconds. */
const DEADLINE_MS = 15_000;

/** How long a response body is read: we need none of it, but some servers treat an early close as an error. */
const BODY_MS = 1000;
const BODY_BYTES_MAX = 65_536;

/** Most bytes of a response, including header fields. */
const WIRE_BYTES_MAX = 2 * BODY_BYTES_MAX;

/** Creates a sender. Each message gets a new connection and a new DNS lookup, so that a changed name is vetted again. */
export function createPoster({ guard, deadlineMs = DEADLINE_MS, onRefused, ...options }: PosterOptions): Post {
  return async ({ url: target, headers, body }) => {
    const url = canonicalUrl(target);
    const refusal = guard.vetUrl(url);
    if (refusal !== null) {
      onRefused?.(url, refusal);
      return { failure: 'target_refused' };
    }
    const limits = { headersMs: deadlineMs, connectionsPerOrigin: 1, wireBytesMax: WIRE_BYTES_MAX };
    const transport = openNetworkTransport({ ...options, guard, limits });
    const controller = new AbortController();
    const abort = (): void => controller.abort(new TransportError('stalled'));
    let timer = setTimeout(abort, deadlineMs);
    try {
      const response = await transport.exchange({ url, method: 'POST', headers, body, signal: controller.signal });
      clearTimeout(timer);
      timer = setTimeout(abort, BODY_MS);
      // A broken response body does not matter.
      await readBody(response, { bodyBytesMax: BODY_BYTES_MAX, sink: null }).catch(failureOf);
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error instanceof RefusedTargetError) onRefused?.(url, error.reason);
      return { failure: error.failure };
    } finally {
      clearTimeout(timer);
      await transport.close();
    }
  };
}
