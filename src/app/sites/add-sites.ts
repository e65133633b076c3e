import { randomBytes } from 'node:crypto';
import { countOf } from '../../platform/counts.js';
import { newId } from '../../platform/ids.js';
import { InputError } from '../../platform/input-error.js';
import { all, execute, one, type Transaction } from '../../store/transaction.js';
import { holdAccount } from '../accounts/accounts.js';
import { type Plan, PLANS } from '../accounts/plan.js';
import { newEventId, recordEvents } from '../audit/audit.js';
import { takeOverRuns } from '../limits/daily-runs.js';
import { excluded, excludedAmong } from './excluded-hosts.js';
import { insertOwnershipTokens } from './ownership-token-statements.js';
import { registrableDomain } from '../../net/registrable-domain.js';
import { hostOf } from './site-input.js';
import { storedTags } from './tags.js';
import { countSites, insertSites, selectSitesOfHosts } from './site-statements.js';

/** A site that is to be added, with what is made for it. */
export interface NewSite {
  readonly id: string;
  readonly origin: string;
  readonly hostname: string;
  readonly token: string;
  /** That of its domain, where the account has no other site there. */
  readonly domainToken: string;
  readonly eventId: string;
  readonly tags: readonly string[];
}

export function newSite(origin: string, hostname: string, tags: readonly string[] = []): NewSite {
  const [token, domainToken] = [newOwnershipToken(), newOwnershipToken()];
  return { id: newId('site'), origin, hostname, token, domainToken, eventId: newEventId(), tags };
}

/** What is in the way of a site: the account has it, nobody may add it, or there is no room for it. */
export interface Obstacle {
  readonly kind: 'had' | 'refused' | 'over';
  readonly error: InputError;
  /** What a list of many says of it besides its kind. */
  readonly why: string | null;
}

/** How many sites an account may have, by its plan. */
export type SitesMaxOf = (plan: Plan) => number;

/** @param override the operator's, in place of what the plans say */
export function createSitesMaxOf(override: number | null = null): SitesMaxOf {
  return (plan) => override ?? PLANS[plan].sitesMax;
}

/** The name by which a site may be excluded. */
export function nameOf({ origin }: Pick<NewSite, 'origin'>): string {
  return new URL(origin).hostname;
}

interface AddedTo {
  readonly accountId: string;
  readonly sitesMaxOf: SitesMaxOf;
}

/**
 * What is in the way of each of these sites, of which no two have one host; null: nothing.
 * @param barred the names among theirs that nobody may add
 */
export function* obstaclesOf(
  { accountId, plan, sitesMaxOf }: AddedTo & { readonly plan: Plan },
  wanted: readonly Pick<NewSite, 'origin' | 'hostname'>[],
  barred: ReadonlySet<string>,
): Transaction<readonly (Obstacle | null)[]> {
  const byHost = yield* sitesByHost(accountId, wanted);
  const sitesMax = sitesMaxOf(plan);
  const { count = 0 } = (yield* one(countSites({ account_id: accountId }))) ?? {};
  let room = sitesMax - count;
  return wanted.map(({ origin, hostname }) => {
    if (barred.has(nameOf({ origin }))) return refusedBy(excluded());
    const others = byHost.get(hostOf(hostname)) ?? [];
    const live = others.find(({ is_deleting }) => is_deleting === 0);
    if (live?.origin === origin) return { kind: 'had', error: siteAdded(), why: null };
    if (live) return { kind: 'had', error: hostAdded(live.origin), why: `As ${live.origin}.` };
    if (others.some((other) => other.origin === origin)) return refusedBy(siteGoing());
    if (room <= 0) return { kind: 'over', error: tooManySites(plan, sitesMax), why: null };
    room -= 1;
    return null;
  });
}

export function refusedBy(error: InputError): Obstacle {
  return { kind: 'refused', error, why: error.message };
}

function* sitesByHost(account_id: string, wanted: readonly Pick<NewSite, 'hostname'>[]) {
  const hosts = wanted.map(({ hostname }) => hostOf(hostname));
  const hostnames = hosts.flatMap((host) => [host, `${host}:80`, `${host}:443`].map((hostname) => ({ hostname })));
  const rows = yield* all(selectSitesOfHosts({ account_id, hostnames: JSON.stringify(hostnames) }));
  return Map.groupBy(rows, ({ hostname }) => hostOf(hostname));
}

/**
 * Adds those that nothing is in the way of. The account is locked, so that nobody adds a host by the other scheme meanwhile: two are two
 * rows, which no index keeps apart.
 * @returns what is in the way of each, in their order; null where it was added
 */
export function* addSites(
  to: AddedTo,
  wanted: readonly NewSite[],
  now: Date,
): Transaction<readonly (Obstacle | null)[]> {
  const barred = yield* excludedAmong(wanted.map(nameOf));
  const { plan } = yield* holdAccount(to.accountId);
  const obstacles = yield* obstaclesOf({ ...to, plan }, wanted, barred);
  const added = wanted.filter((_site, index) => obstacles[index] === null);
  if (added.length === 0) return obstacles;
  const account_id = to.accountId;
  const sites = added.map(({ id, origin, hostname, tags }) => ({ id, origin, hostname, tags: storedTags(tags) }));
  yield* execute(insertSites({ account_id, created_at: now.toISOString(), sites: JSON.stringify(sites) }));
  yield* takeOverRuns(
    account_id,
    added.map(({ id, hostname }) => ({ site_id: id, host: hostOf(hostname) })),
  );
  const tokens = added.flatMap(({ origin, hostname, token, domainToken }) => {
    const domain = registrableDomain(new URL(origin).hostname);
    return [{ host: hostname, token }, ...(domain === null ? [] : [{ host: domain, token: domainToken }])];
  });
  yield* execute(insertOwnershipTokens({ account_id, tokens: JSON.stringify(tokens) }));
  const events = added.map(({ eventId, hostname }) => ({ id: eventId, subject: hostname }));
  yield* recordEvents({ accountId: account_id, event: 'site_added', now }, events);
  return obstacles;
}

/** 192 bits; `agent-readiness-` tells people who find it in a zone or on a page what it is for. */
export function newOwnershipToken(): string {
  return `agent-readiness-${randomBytes(24).toString('hex')}`;
}

export function siteAdded(): InputError {
  return new InputError('The account has this site already. Its id is in the list of sites.');
}

function hostAdded(origin: string): InputError {
  return new InputError(
    `The account has this host already, as ${origin}. http and https of one host and port are one site: to change over, remove that one first.`,
  );
}

function tooManySites(plan: Plan, sitesMax: number): InputError {
  return new InputError(
    `An account on the plan ${plan} may have ${countOf(sitesMax, 'site')}. Remove one first, or ask the operator of this service for more.`,
  );
}

function siteGoing(): InputError {
  return new InputError('This site was removed, and its runs are still being erased. Add it again in a few minutes.');
}
