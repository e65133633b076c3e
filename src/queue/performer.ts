import type { Logger } from '../platform/logging.js';
import type { Work, WorkKind, WorkSource } from './work.js';
import { InHand } from './in-hand.js';

/** Which work: what names it among all kinds. */
export type WorkName = Pick<Work, 'kind' | 'key'>;

/**
 * How much of each kind is performed at a time. Each has places of its own, so that neither holds up the other: a scan takes up to 45 s,
 * a message to a receiver that is down 16.
 */
export type Places = Readonly<Record<WorkKind, number>>;

/** Hands work to its source, so much of a kind at a time. */
export interface Performer {
  /** Whether work of the kind that came now would have to wait. */
  isBusy(kind: WorkKind): boolean;
  /** Waits for a place, then does the work. Never rejects. */
  perform(work: WorkName): Promise<void>;
  /** Resolves once nothing is in hand. */
  settle(): Promise<void>;
}

export function createPerformer(sources: readonly WorkSource[], places: Places, logger: Logger): Performer {
  const byKind = new Map(sources.map((source) => [source.kind, source]));
  const inHand: Readonly<Record<WorkKind, InHand>> = { run: new InHand(), delivery: new InHand() };
  const isBusy = (kind: WorkKind): boolean => inHand[kind].size >= places[kind];

  const hand = async ({ kind, key }: WorkName): Promise<void> => {
    try {
      await byKind.get(kind)?.perform(key);
    } catch (cause) {
      // A source writes down by itself what fails: this is a fault of ours, which must not take the others with it.
      logger.error({ kind, key, cause }, 'work ended in a fault');
    }
  };

  return {
    isBusy,
    async perform(work) {
      while (isBusy(work.kind)) await inHand[work.kind].next();
      await inHand[work.kind].add(hand(work));
    },
    async settle() {
      await Promise.all(Object.values(inHand).map((pieces) => pieces.settle()));
    },
  };
}
