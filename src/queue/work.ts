/** What waits in the database until a worker performs it: a run of a site, the delivery of a message. */
export type WorkKind = 'run' | 'delivery';

/** One piece of it. The database holds the truth of it; this only says that it is there. */
export interface Work {
  readonly kind: WorkKind;
  /** Names it within its kind: a second offer of the same key takes the place of the first. */
  readonly key: string;
  readonly notBefore: Date;
  /** The lowest goes first: 0 to {@link PRIORITY_MAX}. */
  readonly priority: number;
}

export const PRIORITY_MAX = 32_767;

/** Tells the workers of work. Only a hint, for speed: what does not reach them is found by the next sweep. */
export type OfferWork = (work: readonly Work[]) => void;

/** Where work of one kind comes from and is done. */
export interface WorkSource {
  readonly kind: WorkKind;
  /**
   * Does the work if it still waits, is due, and nobody else has it in hand; otherwise nothing. Never rejects: what fails is
   * written down, to be tried again or given up.
   */
  perform(key: string): Promise<void>;
  /**
   * Plans what has become due, frees what dead workers had in hand, and answers what the workers have to be told (anew).
   * @throws ServiceError overloaded when the database is away
   */
  sweep(): Promise<readonly Work[]>;
}

/** How often each worker sweeps. */
export const SWEEP_EVERY_MS = 10_000;

/** Work that waits longer than this after it was offered is offered again: the offer was lost. */
export const OFFER_AGAIN_MS = 60_000;

/**
 * How long a worker may have a run in hand without finishing it: a scan ends within 45 s, so one that takes longer is dead or
 * asleep. With the sweep after it, a killed worker's run is taken up again within 90 s.
 */
export const LEASE_MS = 70_000;

/** A run or delivery attempt that was taken up this often without an end is given up: the first time and two more. */
export const ATTEMPTS_MAX = 3;
