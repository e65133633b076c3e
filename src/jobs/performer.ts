import type { Logger } from '../platform/logging.js';
import type { Work, WorkSource } from '../service/work.js';
import { InHand } from './in-hand.js';

/** Which work: what names it among all kinds. */
export type WorkName = Pick<Work, 'kind' | 'key'>;

/** Hands work to its source, so much at a time. */
export interface Performer {
  /** Whether work that came now would have to wait. */
  readonly isBusy: boolean;
  /** Waits for a place, then does the work. Never rejects. */
  perform(work: WorkName): Promise<void>;
  /** Resolves once nothing is in hand. */
  settle(): Promise<void>;
}

export function createPerformer(sources: readonly WorkSource[], concurrency: number, logger: Logger): Performer {
  const byKind = new Map(sources.map((source) => [source.kind, source]));
  const inHand = new InHand();

  const hand = async ({ kind, key }: WorkName): Promise<void> => {
    try {
      await byKind.get(kind)?.perform(key);
    } catch (cause) {
      // A source writes down by itself what fails: this is a fault of ours, which must not take the others with it.
      logger.error({ kind, key, cause }, 'work ended in a fault');
    }
  };

  return {
    get isBusy() {
      return inHand.size >= concurrency;
    },
    async perform(work) {
      while (inHand.size >= concurrency) await inHand.next();
      await inHand.add(hand(work));
    },
    settle: () => inHand.settle(),
  };
}
