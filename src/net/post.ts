import type { FetchFailure } from './failure.js';
import type { RefusalReason } from './refusal.js';
import { RefusedTargetError } from './connector.js';
import type { Guard } from './guard.js';
import { canonicalUrl } from './url-gate.js';
import { openNetworkTransport, type NetworkTransportOptions } from './network-transport.js';
import { type HopResponse, TransportError } from './transport.js';

/** A message of ours to an address that a user or receiver supplied. */
export interface PostRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The result; the status alone decides. The body of a 429 can say how long to wait; it is the receiver's word, and nobody is shown it. */
export type Posted =
  | { readonly status: number; readonly retryAfter: string | null; readonly body?: string }
  | { readonly failure: FetchFailure };

/** Sends the message once, through the guard. Redirects are not followed. Never rejects. */
export type Post = (request: PostRequest) => Promise<Posted>;

export interface PosterOptions extends Omit<NetworkTransportOptions, 'guard' | 'limits'> {
  readonly guard: Guard;
  /** From the name's resolution to the last header field of the answer. */
  readonly deadlineMs?: number;
  /** For the log: why a target was refused, which no tenant may see. */
  readonly onRefused?: (url: URL, reason: RefusalReason) => void;
}

/** Standard Webhooks recommends 15 to 30 seconds. */
const DEADLINE_MS = 15_000;

/** The body of an answer is read briefly: some servers treat an early close as an error, and of what is left out nothing is needed. */
const BODY_MS = 1000;
const BODY_BYTES_MAX = 65_536;

const TOO_MANY = 429;

/** The body, plus what a server sends around it. */
const WIRE_BYTES_MAX = 2 * BODY_BYTES_MAX;

/** Each message gets a new connection and a newly resolved name: a name that has changed is vetted again. */
export function createPoster({ guard, deadlineMs = DEADLINE_MS, onRefused, ...options }: PosterOptions): Post {
  return async ({ url: given, headers, body }) => {
    const url = canonicalUrl(given);
    const refusal = guard.vetUrl(url);
    if (refusal !== null) {
      onRefused?.(url, refusal);
      return { failure: 'target_refused' };
    }
    const limits = { headersMs: deadlineMs, connectionsPerOrigin: 1, wireBytesMax: WIRE_BYTES_MAX };
    const transport = openNetworkTransport({ ...options, guard, limits });
    const limit = new AbortController();
    const abort = (): void => limit.abort(new TransportError('stalled'));
    let timer = setTimeout(abort, deadlineMs);
    try {
      const answer = await transport.exchange({ url, method: 'POST', headers, body, signal: limit.signal });
      clearTimeout(timer);
      timer = setTimeout(abort, BODY_MS);
      const { status } = answer;
      const read = await readBriefly(answer);
      return { status, retryAfter: answer.headers.get('retry-after'), ...(status === TOO_MANY && { body: read }) };
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

/** The body while it is short and arrives at once. */
async function readBriefly({ body }: HopResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}
