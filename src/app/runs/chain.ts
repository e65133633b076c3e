import { digestLink } from '../../platform/link-digest.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { type ChainStatements, type LinkedRow, selectEpochs } from './chain-statements.js';
import type { EpochRow } from './run-columns.js';
import type { RunTexts } from './run-texts.js';

/**
 * The runs of a site are a chain: the link of each holds a digest of what is stored of the run, and of the link before. So a run cannot be
 * changed without changing every link after it, and the last digest, written down elsewhere, proves all runs up to it. There is a chain
 * of the runs as they are served, and one of what is kept next to them. docs/run-chain.md has the encoding and what it is for.
 *
 * A chain that is broken or behind never keeps a run from being stored or read: {@link ObserveBrokenChain} tells the operator.
 */
export interface ChainDefinition<Row extends LinkedRow> extends ChainStatements<Row> {
  /** The first line of what is digested. */
  readonly format: string;
  /** What the link of a run holds; null where it cannot be read. */
  readonly contentOf: (row: Row, texts: RunTexts) => Transaction<Uint8Array | null>;
  /** Whether what is stored of the run alongside its content agrees with it; left out: there is nothing. */
  readonly isConsistent?: (siteId: string, row: Row, stored: StoredContent) => boolean;
}

export interface StoredContent {
  readonly content: Uint8Array;
  /** In which the run may have been stored: its link may have been made in a later one, and version 0.2.0 knew the first alone. */
  readonly epochs: readonly EpochRow[];
}

/** Hears of a run whose link is wrong or missing, or that is missing itself. */
export type ObserveBrokenChain = (siteId: string, number: number) => void;

/** Where the next link of a site goes. */
export interface ChainEnd {
  readonly epoch: EpochRow | null;
  readonly digest: string | null;
  /** Whether the next run may be linked now: every run before it that can be read has its link. */
  readonly isOpen: boolean;
  /** The first number that was seen to be broken. */
  readonly brokenAt: number | null;
}

/** A run that was just stored. */
export interface RunToLink {
  readonly siteId: string;
  readonly number: number;
  readonly reference: string;
  readonly content: Uint8Array;
}

interface LinkContent extends RunToLink {
  readonly epochId: string;
  /** Of the last link before; null: there is none. */
  readonly before: string | null;
}

/** What the chain says of one run. `unlinked`: it has no link yet, nor has any later run. `uncovered`: it is older than the chain. */
export type LinkProof =
  | { readonly state: 'proven'; readonly digest: string; readonly epochId: string }
  | { readonly state: 'unlinked' | 'uncovered' | 'broken' };

interface LinkSurroundings {
  readonly content: Uint8Array | null;
  readonly before: string | null;
  /** The number of the site's last link, when it was looked at: what was linked since is not compared. */
  readonly last: number | null;
  readonly uncovered: number | null;
  readonly epochs: readonly EpochRow[];
}

/** About 1 MB to read: a few milliseconds. */
const LINKS_AT_ONCE = 50;

export class Chain<Row extends LinkedRow> {
  constructor(readonly definition: ChainDefinition<Row>) {}

  digest({ epochId, siteId, number, reference, before, content }: LinkContent): string {
    return digestLink({ format: this.definition.format, epochId, ownerId: siteId, number, reference, before, content });
  }

  /**
   * The end of a site's chain, once the runs up to `upto` have their links: those that another version stored, or that were there before
   * there were links. At most so many at once; a run that cannot be read stays without. The site must be locked.
   */
  *linkMissing(siteId: string, upto: number, texts: RunTexts): Transaction<ChainEnd> {
    const { selectEnd, selectLinked, contentOf } = this.definition;
    const end = yield* one(selectEnd({ site_id: siteId }));
    if (!end) return { epoch: null, digest: null, isOpen: false, brokenAt: 1 };
    const epoch = { number: end.epoch, id: end.epoch_id };
    let [last, digest] = [end.number ?? 0, end.digest];
    // Is what is there in order? No link may be of a run that is gone, and the last one has to fit its run.
    if (last > upto) return { epoch, digest, isOpen: false, brokenAt: upto + 1 };
    const isProven = last === 0 || (yield* this.prove(siteId, last, texts)).state !== 'broken';
    let brokenAt = isProven ? null : last;

    // Link what follows. A run that is missing breaks the chain, but does not end it.
    const limit = LINKS_AT_ONCE;
    const runs = last === upto ? [] : yield* all(selectLinked({ site_id: siteId, after: last, upto, limit }));
    for (const run of runs) {
      const { number, reference } = run;
      const content = yield* contentOf(run, texts);
      if (!content || number !== last + 1) brokenAt ??= last + 1;
      if (content) digest = yield* this.#add(epoch, { siteId, number, reference, content, before: digest });
      last = number;
    }

    // Open for the next run unless more wait for their links; runs that are gone from the end break the chain, too.
    const isOpen = runs.length < limit || last === upto;
    if (isOpen && last < upto) brokenAt ??= last + 1;
    return { epoch, digest, isOpen, brokenAt };
  }

  /** @returns the digest of the link; null when the run cannot have one yet */
  *link({ epoch, digest, isOpen }: ChainEnd, run: RunToLink): Transaction<string | null> {
    return epoch && isOpen ? yield* this.#add(epoch, { ...run, before: digest }) : null;
  }

  *#add(epoch: EpochRow, content: Omit<LinkContent, 'epochId'>): Transaction<string> {
    const { siteId: site_id, number } = content;
    const digest = this.digest({ ...content, epochId: epoch.id });
    yield* execute(this.definition.insertLink({ site_id, number, epoch: epoch.number, digest }));
    return digest;
  }

  /** Compares what is stored of a run with its link, and that with the link before. */
  *prove(siteId: string, number: number, texts: RunTexts): Transaction<LinkProof> {
    const row = yield* one(this.definition.selectToProve({ site_id: siteId, number }));
    if (!row) return { state: 'broken' };
    const content = yield* this.definition.contentOf(row, texts);
    const epochs = yield* all(selectEpochs({}));
    const { prior_digest: before, last_link: last, uncovered } = row;
    return this.proofOf(siteId, row, { content, before, last, uncovered, epochs });
  }

  proofOf(siteId: string, row: Row, { content, before, last, uncovered, epochs }: LinkSurroundings): LinkProof {
    const { number, reference, digest, epoch, epoch_id: epochId } = row;
    if (number <= (uncovered ?? 0)) return { state: 'uncovered' };
    if ((last ?? 0) < number) return { state: 'unlinked' };
    if (digest === null || epoch === null || epochId === null || !content) return { state: 'broken' };
    if (this.digest({ epochId, siteId, number, reference, before, content }) !== digest) return { state: 'broken' };
    const stored = { content, epochs: epochs.filter((one) => one.number <= epoch) };
    const isConsistent = this.definition.isConsistent?.(siteId, row, stored) ?? true;
    return isConsistent ? { state: 'proven', digest, epochId } : { state: 'broken' };
  }
}
