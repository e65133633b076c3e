import { yieldToEventLoop } from '../../net/event-loop.js';
import { inParallel } from '../../platform/concurrency.js';
import { InputError, TooSoonError } from '../../platform/input-error.js';
import { type Deadline, startDeadline, type StartTimer } from '../../platform/timer.js';
import type { Context } from '../context.js';
import { type SkippedSite, type BulkOutcome, stopReason } from './bulk-change.js';
import { findOwnSites, type OwnSite, type SitesOfAccount } from './own-site.js';
import { domainOfSite, domainRecord, findRecord, type OwnershipWay, readOwnershipTokens } from './proof.js';
import type { OnVerified, Sites } from './sites.js';

/** Concurrent visits, concurrent DNS lookups, and the time limit for all of them, since a browser waits for the response. */
const VISITED_AT_ONCE = 8;
const DOMAINS_AT_ONCE = 16;
const CHECK_MS = 20_000;

const NOT_FOUND = 'No proof was found. Check it on its own page to see what we found instead.';
const NO_TIME = 'There was no time left to look. Check again.';

export interface VerifyContext extends Pick<Context, 'db' | 'resolveTxt'> {
  readonly sites: Pick<Sites, 'markVerified'>;
  /** Called when a user verifies a site that has no runs. */
  readonly onFirstProof?: OnVerified;
  /** Visits one site of a batch. */
  readonly verify: (site: OwnSite, isOfMany: true) => Promise<{ readonly provedBy: OwnershipWay | null }>;
  /** Replaced by tests. */
  readonly startTimer?: StartTimer;
  /** Replaced by tests. */
  readonly random?: () => number;
}

/** Verifies many sites: first by records that cover whole domains, one lookup each, then by visiting the remaining sites. */
export async function verifySites(context: VerifyContext, asked: SitesOfAccount): Promise<BulkOutcome> {
  const { db, sites, onFirstProof, verify, random = Math.random } = context;
  const all = await findOwnSites(db, asked);
  const unchanged = all.filter(({ verifiedAt, missingProof }) => verifiedAt !== null && missingProof === null);
  const open = all.filter((site) => !unchanged.includes(site));
  const deadline = startDeadline(CHECK_MS, context.startTimer);
  const domains = await findCoveredDomains(context, asked.accountId, open, deadline);
  const covered = open.filter((site) => domains.has(domainOfSite(site)));
  const uncovered = open.filter((site) => !covered.includes(site));
  const outcome = new Outcome();
  for (const site of covered) {
    await outcome.add(site, async () => {
      await sites.markVerified(site.id, 'domain', onFirstProof);
      return true;
    });
    await yieldToEventLoop();
  }
  await inParallel(startingAt(uncovered, random()), VISITED_AT_ONCE, async (site) => {
    if (deadline.isOver()) outcome.refuse(NO_TIME);
    await outcome.add(site, async () => (await verify(site, true)).provedBy !== null);
  });
  deadline.cancel();
  return { done: outcome.done, unchanged: unchanged.map(({ hostname }) => hostname), skipped: outcome.skipped };
}

/** Looks up one record for each domain of the sites. @returns the domains whose record covers every subdomain */
async function findCoveredDomains(
  { db, resolveTxt }: VerifyContext,
  accountId: string,
  open: readonly OwnSite[],
  deadline: Deadline,
): Promise<ReadonlySet<string | null>> {
  const covered = new Set<string>();
  const domains = [...new Set(open.flatMap((site) => domainOfSite(site) ?? []))];
  const tokens = await readOwnershipTokens(db, accountId, domains);
  const lookingUp = inParallel(domains, DOMAINS_AT_ONCE, async (domain) => {
    const token = tokens.get(domain);
    if (token === undefined || deadline.isOver()) return;
    if ((await findRecord(domainRecord(domain, token), resolveTxt)) === 'record') covered.add(domain);
  });
  await Promise.race([lookingUp, deadline.over]);
  return new Set(covered);
}

class Outcome {
  readonly done: string[] = [];
  readonly skipped: SkippedSite[] = [];
  #refusal: string | null = null;

  /** Skips all sites that follow. */
  refuse(why: string): void {
    this.#refusal ??= why;
  }

  /** Records whether the site was verified, or why it was skipped. */
  async add({ hostname }: OwnSite, isProved: () => Promise<boolean>): Promise<void> {
    let why = this.#refusal;
    try {
      if (why === null && (await isProved())) {
        this.done.push(hostname);
        return;
      }
      why ??= NOT_FOUND;
    } catch (error) {
      why = error instanceof InputError ? error.message : stopReason(error);
      // A used-up limit or an overloaded service also stops the remaining sites.
      if (error instanceof TooSoonError || !(error instanceof InputError)) this.refuse(why);
    }
    this.skipped.push({ hostname, why });
  }
}

/** Rotates the list to a random start, so that retries reach the sites that ran out of time. @param random at least 0, less than 1 */
function startingAt<T>(sites: readonly T[], random: number): readonly T[] {
  const start = Math.floor(random * sites.length);
  return [...sites.slice(start), ...sites.slice(0, start)];
}
