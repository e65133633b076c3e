import type { OfferWork, WorkSource } from './work.js';

/**
 * Brings work to the process that performs it, as soon as it is due: the lowest priority first, so many at a time. What is lost on
 * the way (a process died, the database was away) is offered again by the sweep that every started dispatcher makes now and then.
 */
export interface Dispatcher {
  /** Tells the workers, of this process or another, of work. Never throws. */
  readonly offer: OfferWork;
  /**
   * Begins to perform; resolves when it is ready for work, or has found that it is not yet: it then tries again by itself until it is.
   * Never rejects.
   */
  start(sources: readonly WorkSource[]): Promise<void>;
  /** Whether it performs: started, and its last sweep went well. For `/readyz`. */
  readonly isWorking: boolean;
  /** Takes up no more work; resolves when what is in hand has ended. */
  close(): Promise<void>;
}
