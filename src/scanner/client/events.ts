import type { FetchFailure } from '../../net/failure.js';
import type { RefusalReason } from '../../net/refusal.js';
import type { AskedRequest, SiteRequest } from './request.js';
import type { Fetched } from './visit.js';

/** A decision of one layer about a request. */
export type RunEvent = ({ readonly request: SiteRequest } & Decision) | ({ readonly request: AskedRequest } & Hop);

type Decision =
  | Sent
  /** Answered from memory. */
  | { readonly kind: 'remembered' }
  /** Refused by the guard. Users must not see the reason. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** Not sent because of a limit of the run. */
  | { readonly kind: 'unsent'; readonly failure: FetchFailure }
  /** Will be tried again after a pause. */
  | { readonly kind: 'retried'; readonly pauseMs: number };

type Hop =
  | { readonly kind: 'redirected'; readonly to: URL }
  /** A redirect that is not followed. `to` is null without a usable Location; `failure` is null if the caller gets the redirect itself. */
  | { readonly kind: 'stopped'; readonly to: URL | null; readonly failure: FetchFailure | null };

/** One try over the transport. If the host has no address, nothing was sent. */
export interface Sent {
  readonly kind: 'sent';
  readonly fetched: Fetched;
  readonly durationMs: number;
}

/** Called synchronously for each event. Must not throw. */
export type Listener = (event: RunEvent) => void;
