import { createHash } from 'node:crypto';
import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { lockSite, selectLatestNumber } from '../sites/site-statements.js';
import {
  insertLink,
  type LinkedRunRow,
  selectChainedSites,
  selectChainEnd,
  selectEpochs,
  selectLinkedRuns,
  selectRunToProve,
} from './chain-statements.js';
import { type EpochRow, matchesBody } from './run-columns.js';
import { RunTexts } from './run-texts.js';

/**
 * The runs of a site are a chain: the link of each holds a digest of the run as it is served, and of the link before. So a run cannot
 * be changed without changing every link after it, and the last digest, written down elsewhere, proves all runs up to it.
 * docs/run-chain.md has the encoding and what it is for.
 *
 * A chain that is broken or behind never keeps a run from being stored or read: {@link ObserveBrokenChain} tells the operator.
 */
const FORMAT = 'agent-readiness run chain 1';

interface LinkContent {
  readonly epochId: string;
  readonly siteId: string;
  readonly number: number;
  readonly reference: string;
  /** Of the last link before; null: there is none. */
  readonly before: string | null;
  /** The run as it is served. */
  readonly whole: Uint8Array;
}

/** SHA-256 in hexadecimal digits. None of the lines holds a line feed, so no two contents are encoded alike. */
export function digestLink({ epochId, siteId, number, reference, before, whole }: LinkContent): string {
  const lines = [FORMAT, epochId, siteId, number, reference, before ?? `first of ${siteId}`];
  return createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .update(whole)
    .digest('hex');
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

/** About 1 MB to read: a few milliseconds. */
const LINKS_AT_ONCE = 50;

/**
 * The end of a site's chain, once the runs up to `upto` have their links: those that another version stored, or that were there before
 * there were links. At most so many at once; a run that cannot be read stays without. The site must be locked.
 */
export function* closeUp(siteId: string, upto: number, texts: RunTexts): Transaction<ChainEnd> {
  const end = yield* one(selectChainEnd({ site_id: siteId }));
  if (!end) return { epoch: null, digest: null, isOpen: false, brokenAt: 1 };
  const epoch = { number: end.epoch, id: end.epoch_id };
  let [last, digest] = [end.number ?? 0, end.digest];
  if (last > upto) return { epoch, digest, isOpen: false, brokenAt: upto + 1 };
  const isProven = last === 0 || (yield* proveRun(siteId, last, texts)).state === 'proven';
  let brokenAt = isProven ? null : last;
  const limit = LINKS_AT_ONCE;
  const runs = last === upto ? [] : yield* all(selectLinkedRuns({ site_id: siteId, after: last, upto, limit }));
  for (const { number, reference, body } of runs) {
    const whole = yield* readWhole(body, texts);
    if (!whole || number !== last + 1) brokenAt ??= last + 1;
    if (whole)
      digest = yield* addLink({ epochId: epoch.id, siteId, number, reference, before: digest, whole }, epoch.number);
    last = number;
  }
  const isOpen = runs.length < limit || last === upto;
  if (isOpen && last < upto) brokenAt ??= last + 1;
  return { epoch, digest, isOpen, brokenAt };
}

/** Links a run that was just stored. @returns the digest of its link; null when it cannot have one yet */
export function* linkRun(
  { epoch, digest, isOpen }: ChainEnd,
  run: Omit<LinkContent, 'epochId' | 'before'>,
): Transaction<string | null> {
  if (!epoch || !isOpen) return null;
  return yield* addLink({ ...run, epochId: epoch.id, before: digest }, epoch.number);
}

function* addLink(content: LinkContent, epoch: number): Transaction<string> {
  const { siteId: site_id, number } = content;
  const digest = digestLink(content);
  yield* execute(insertLink({ site_id, number, epoch, digest }));
  return digest;
}

/** Null for a body whose texts are missing or changed. */
function* readWhole(body: Uint8Array, texts: RunTexts): Transaction<Buffer | null> {
  try {
    return yield* texts.unpackWithin(body);
  } catch {
    return null;
  }
}

/** What the chain says of one run. `unlinked`: it has no link yet, nor has any later run. */
export type RunProof =
  | { readonly state: 'proven'; readonly digest: string; readonly epochId: string }
  | { readonly state: 'unlinked' }
  | { readonly state: 'broken' };

/** Compares a run with its columns and its link, and that with the link before. */
export function* proveRun(siteId: string, number: number, texts: RunTexts): Transaction<RunProof> {
  const run = yield* one(selectRunToProve({ site_id: siteId, number }));
  if (!run) return { state: 'broken' };
  const whole = yield* readWhole(run.body, texts);
  const epochs = yield* all(selectEpochs({}));
  return proofOf(siteId, run, { whole, before: run.prior_digest, last: run.last_link, epochs });
}

interface LinkSurroundings {
  readonly whole: Uint8Array | null;
  readonly before: string | null;
  /** The number of the site's last link, when it was looked at: what was linked since is not compared. */
  readonly last: number | null;
  readonly epochs: readonly EpochRow[];
}

export function proofOf(
  siteId: string,
  run: LinkedRunRow,
  { whole, before, last, epochs }: LinkSurroundings,
): RunProof {
  const { number, reference, digest, epoch, epoch_id: epochId } = run;
  if ((last ?? 0) < number) return { state: 'unlinked' };
  if (digest === null || epoch === null || epochId === null || !whole) return { state: 'broken' };
  if (digestLink({ epochId, siteId, number, reference, before, whole }) !== digest) return { state: 'broken' };
  const upToLink = epochs.filter((one) => one.number <= epoch);
  return matchesBody(siteId, run, { whole, epochs: upToLink })
    ? { state: 'proven', digest, epochId }
    : { state: 'broken' };
}

export const LINK_EVERY_MS = 600_000;

/**
 * Links what has no link yet, of all sites: see {@link closeUp}. Goes on where it stopped the last time, since one time may not be
 * enough for all.
 */
export class ChainSweep {
  #after = '';
  readonly #texts: RunTexts;

  constructor(
    private readonly db: Database,
    private readonly onBroken: ObserveBrokenChain,
  ) {
    this.#texts = new RunTexts(db);
  }

  async *begin(): Steps {
    for (;;) {
      const sites = await this.db.run(selectChainedSites({ after: this.#after }));
      for (const { id, run_counter, linked } of sites) {
        if ((linked ?? 0) < run_counter) yield* this.#linkSite(id);
        this.#after = id;
      }
      if (sites.length === 0) break;
      yield;
    }
    this.#after = '';
  }

  async *#linkSite(siteId: string): Steps {
    for (;;) {
      const end = await this.db.transaction(() => this.#closeUpLocked(siteId));
      // Before the sweep may be stopped: what is linked by now is not looked at again.
      if (end && end.brokenAt !== null) this.onBroken(siteId, end.brokenAt);
      yield;
      if (!end || end.isOpen || end.brokenAt !== null) return;
    }
  }

  /** Null for a site that was removed meanwhile. */
  *#closeUpLocked(siteId: string): Transaction<ChainEnd | null> {
    yield* execute(lockSite({ id: siteId }));
    // Read under the lock: a run that finished since the page of sites was read has linked further than it says.
    const site = yield* one(selectLatestNumber({ id: siteId }));
    return site ? yield* closeUp(siteId, site.run_counter, this.#texts) : null;
  }
}
