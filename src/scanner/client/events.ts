import type { FetchFailure } from '../../net/failure.js';
import type { RefusalReason } from '../../net/refusal.js';
import type { AskedRequest, SiteRequest } from './request.js';
import type { Fetched } from './visit.js';

/** What a layer of the chain decided about a request, as it happens. */
export type RunEvent = ({ readonly request: SiteRequest } & Decision) | ({ readonly request: AskedRequest } & Hop);

type Decision =
  | Sent
  /** Answered from memory. */
  | { readonly kind: 'remembered' }
  /** By the guard. The true reason, which no tenant may see. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** The limits of the run kept it from being sent. */
  | { readonly kind: 'unsent'; readonly failure: FetchFailure }
  /** It is tried again after a pause. */
  | { readonly kind: 'retried'; readonly pauseMs: number };

type Hop =
  /** The answer leads on to this address. */
  | { readonly kind: 'redirected'; readonly to: URL }
  /** It leads on, but is not followed: its address is null where it has none, the failure where the caller wants no more. */
  | { readonly kind: 'stopped'; readonly to: URL | null; readonly failure: FetchFailure | null };

/** One try over the transport, and how it went: without an address, nothing left us. */
export interface Sent {
  readonly kind: 'sent';
  readonly fetched: Fetched;
  readonly durationMs: number;
}

/** Hears of each event at once. Must not throw. */
export type Listener = (event: RunEvent) => void;
