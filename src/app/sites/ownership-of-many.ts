import { inParallel } from '../../platform/in-parallel.js';
import { InputError, TooSoonError } from '../../platform/input-error.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { Database } from '../../store/database.js';
import type { Plan } from '../accounts/plan.js';
import { nameOf } from './add-sites.js';
import { excluded, findExcluded } from './excluded-hosts.js';
import { goneOf, type LeftOut, type ManyOutcome } from './many.js';
import { findOwnSites, type OwnSite } from './own-site.js';
import { inTurn } from './ownership-checks.js';
import { domainOfSite, domainRecord, hasRecord, type Ownership } from './ownership.js';
import type { Sites } from './sites.js';
import type { OnVerified } from './verify-sites.js';

export interface OwnershipOfManyDeps {
  readonly db: Database;
  readonly sites: Sites;
  readonly ownership: Pick<Ownership, 'verify'>;
  readonly resolveTxt: (name: string) => Promise<readonly string[]>;
  readonly onFirstProof?: OnVerified;
  /** For tests. */
  readonly startTimer?: StartTimer;
  readonly random?: () => number;
}

/** So many sites are visited at a time. Nothing is begun once so long has passed, nor a record waited for: somebody waits for the answer. */
const VISITED_AT_ONCE = 8;
const LOOKS_MS = 20_000;
/** So many domains are asked for their record at a time. */
const DOMAINS_AT_ONCE = 16;

const NOT_FOUND = 'No proof was found. Check a site on its own page to see what is there in its place.';
const NO_TIME = 'There was no time left to look. Check again.';

/**
 * Looks for the proofs of many sites at once: first for the records that cover whole domains, one look-up each, which visits nobody; then in
 * the places of each site that is left, as many as an account may have checked.
 */
export class OwnershipOfMany {
  constructor(private readonly deps: OwnershipOfManyDeps) {}

  async verify(asked: {
    readonly accountId: string;
    readonly plan: Plan;
    readonly siteIds: readonly string[];
  }): Promise<ManyOutcome> {
    const { db } = this.deps;
    const all = await findOwnSites(db, asked);
    const leftOut: LeftOut[] = [...goneOf(asked.siteIds, all.length)];
    const isSame = ({ verifiedAt, unreadProof }: OwnSite): boolean => verifiedAt !== null && unreadProof === null;
    const barred = await findExcluded(db, all.map(nameOf));
    for (const site of all.filter((one) => barred.has(nameOf(one)))) leave(leftOut, site, excluded().message);
    const open = all.filter((site) => !isSame(site) && !barred.has(nameOf(site)));
    const { startTimer = startNodeTimer } = this.deps;
    const end = new AbortController();
    const cancel = startTimer(() => end.abort(), LOOKS_MS);
    const covered = await this.#verifyByDomain(open, end.signal);
    const visited = await this.#visit(
      open.filter((site) => !covered.has(site)),
      { leftOut, end: end.signal },
    );
    cancel();
    return {
      done: [...covered, ...visited].map(({ hostname }) => hostname),
      same: all.filter((site) => isSame(site) && !barred.has(nameOf(site))).map(({ hostname }) => hostname),
      leftOut,
    };
  }

  /** @returns those that a record of their domain covers, which are verified; what is in the way of another, its visit tells */
  async #verifyByDomain(open: readonly OwnSite[], end: AbortSignal): Promise<ReadonlySet<OwnSite>> {
    const { sites, onFirstProof } = this.deps;
    const byDomain = Map.groupBy(open, domainOfSite);
    const covered = new Set<OwnSite>();
    await inParallel([...byDomain], DOMAINS_AT_ONCE, async ([domain, ofDomain]) => {
      const [first] = ofDomain;
      if (domain === null || first === undefined || end.aborted) return;
      const { accountId } = first;
      if (!(await Promise.race([this.#isCovered(accountId, domain), whenAborted(end)]))) return;
      const siteIds = ofDomain.map(({ id }) => id);
      const verified = await sites.markAllVerified({ accountId, siteIds, by: 'domain' }, onFirstProof);
      for (const site of ofDomain) if (verified.has(site.id)) covered.add(site);
    });
    return covered;
  }

  async #isCovered(accountId: string, domain: string): Promise<boolean> {
    const token = await this.deps.sites.domainToken(accountId, domain);
    if (token === null) return false;
    const record = domainRecord(domain, token);
    return hasRecord(await this.deps.resolveTxt(record.name).catch(() => []), record);
  }

  /** @returns those whose proof was found. @param leftOut takes the others */
  async #visit(
    open: readonly OwnSite[],
    { leftOut, end }: { readonly leftOut: LeftOut[]; readonly end: AbortSignal },
  ): Promise<readonly OwnSite[]> {
    const { ownership, random = Math.random } = this.deps;
    const found: OwnSite[] = [];
    let refusal: string | null = null;
    await inParallel(inTurn(open, random()), VISITED_AT_ONCE, async (site) => {
      if (end.aborted) refusal ??= NO_TIME;
      if (refusal !== null) {
        leave(leftOut, site, refusal);
        return;
      }
      try {
        const { provedBy } = await ownership.verify(site, true);
        if (provedBy === null) leave(leftOut, site, NOT_FOUND);
        else found.push(site);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        // The hour's checks are used up: nobody else is visited either.
        if (error instanceof TooSoonError) refusal ??= error.message;
        leave(leftOut, site, error.message);
      }
    });
    return found;
  }
}

/** As nothing that was found. */
function whenAborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));
}

function leave(leftOut: LeftOut[], { hostname }: OwnSite, why: string): void {
  leftOut.push({ hostname, why });
}
