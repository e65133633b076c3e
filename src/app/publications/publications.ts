import { ServiceError } from '../../platform/errors.js';
import { isSecretToken, newSecretToken } from '../../platform/ids.js';
import type { Database, Tx } from '../../store/database.js';
import { defineQuery, type Row, table } from '../../store/query.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { unpackAnswer, unpackRun } from '../runs/run-bodies.js';
import { type CheckResult, parseResults, type RunRow, type RunSummary } from '../runs/run-rows.js';
import { parseRun } from '../runs/run.js';
import { lockOwnSite, lockSiteAgainstChanges, type SiteOfAccount } from '../sites/site.js';

/** A badge or report that an owner publishes at an unguessable URL. */
export interface Publication {
  readonly kind: 'badge' | 'report';
  /** Run number of a report; null for the latest run, and for a badge. */
  readonly number: number | null;
}

export const BADGE: Publication = { kind: 'badge', number: null };

/** Content of a badge, from the last run with a score. The score is null if no recent run has one. */
export interface Badge extends Pick<RunSummary, 'score' | 'answer'> {
  readonly findings: readonly Pick<CheckResult, 'checkId' | 'result'>[];
}

const publications = table<'publications', Row<'publications'> & Pick<Publication, 'kind'>>('publications');

const LATEST = 0;

type PublishedRow = Pick<RunRow, 'score' | 'answer'> & {
  readonly hostname: string;
  readonly origin: string;
  /** Null before the first run. */
  readonly results: string | null;
  /** Null before the first run. */
  readonly body: Uint8Array | null;
};

/** Number of a site's latest runs that are searched for one with a score. */
const LAST_RUNS_MAX = 50;

/**
 * Selects the run that a badge or report shows: the chosen run, or the last recent run with a score. Returns no row while the site is being
 * removed or is not verified.
 */
const selectPublished = defineQuery<PublishedRow, { token: string; kind: Publication['kind'] }>(
  (sql, { token, kind }) => {
    const lastScored = `(SELECT r.number FROM runs AS r WHERE r.site_id = s.id
      AND r.number > s.run_counter - ${LAST_RUNS_MAX} AND r.score IS NOT NULL ORDER BY r.number DESC LIMIT 1)`;
    const number = `CASE WHEN p.number > ${LATEST} THEN p.number ELSE COALESCE(${lastScored}, s.run_counter) END`;
    return sql('publications as p')
      .join('sites as s', 's.id', 'p.site_id')
      .leftJoin('runs as r', (on) => on.on('r.site_id', 's.id').andOn('r.number', sql.raw(number)))
      .select('s.hostname', 's.origin', 'r.score', 'r.results', 'r.answer', 'r.body')
      .where({ 'p.token': token, 'p.kind': kind, 's.is_deleting': 0 })
      .whereNotNull('s.verified_at');
  },
);

const EVENTS = {
  badge: { published: 'badge_turned_on', renewed: 'badge_renewed', withdrawn: 'badge_turned_off' },
  report: { published: 'report_published', renewed: 'report_renewed', withdrawn: 'report_withdrawn' },
} as const;

type PublicationContext = Pick<Context, 'db' | 'clock'>;

/**
 * Publishes a badge or report, or replaces its URL, so that the previous one stops working.
 * @returns the unguessable part of the URL
 * @throws ServiceError site_not_found, also for another account's site; domain_not_verified; run_not_found
 */
export async function publish(
  { db, clock }: PublicationContext,
  site: SiteOfAccount,
  { kind, number }: Publication,
): Promise<string> {
  const token = newSecretToken();
  const now = clock.now();
  await db.transaction(async (tx) => {
    // The lock waits for a loss of ownership, which withdraws reports.
    const own = await lockOwnSite(tx, site, lockSiteAgainstChanges);
    const { id, accountId, hostname, verifiedAt, latestNumber } = own;
    if (verifiedAt === null) throw new ServiceError('domain_not_verified');
    if (number !== null && !(number >= 1 && number <= latestNumber)) throw new ServiceError('run_not_found');
    const key = { site_id: id, kind, number: number ?? LATEST };
    const event = EVENTS[kind][(await tx.one(publications.find(key, ['token']))) ? 'renewed' : 'published'];
    await recordEvent(tx, { accountId, event, subject: eventSubject(hostname, number), now });
    await tx.run(publications.upsert({ ...key, token, created_at: now.toISOString() }));
  });
  return token;
}

/** @throws ServiceError site_not_found, also for another account's site */
export async function withdraw(
  { db, clock }: PublicationContext,
  site: SiteOfAccount,
  { kind, number }: Publication,
): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const { id, accountId, hostname } = await lockOwnSite(tx, site);
    if (!(await tx.one(publications.delete({ site_id: id, kind, number: number ?? LATEST })))) return;
    const event = EVENTS[kind].withdrawn;
    await recordEvent(tx, { accountId, event, subject: eventSubject(hostname, number), now });
  });
}

function eventSubject(hostname: string, number: number | null): string {
  return number === null ? hostname : `run ${number} of ${hostname}`;
}

export async function withdrawReports(tx: Tx, siteId: string): Promise<void> {
  await tx.run(publications.delete({ site_id: siteId, kind: 'report' }));
}

/** Lists a site's badge and reports, with the unguessable parts of their URLs. The report of the latest run comes first. */
export async function listPublished(db: Database, site_id: string) {
  const rows = await db.run(publications.find({ site_id }, ['kind', 'number', 'token', 'created_at'], 'number'));
  const published = rows.map(({ kind, number, token, created_at: since }) => {
    return { kind, number: number === LATEST ? null : number, token, since };
  });
  return {
    /** Null while the badge is off, which is the default. */
    badge: published.find(({ kind }) => kind === 'badge') ?? null,
    reports: published.filter(({ kind }) => kind === 'report'),
  };
}

/** A published report, as its owner sees it. */
export type OwnReport = Awaited<ReturnType<typeof listPublished>>['reports'][number];

/** Returns a site's badge and reports for the export of its account, without their URLs. */
export async function publishedToExport(db: Database, siteId: string): Promise<Readonly<Record<string, unknown>>> {
  const { badge, reports } = await listPublished(db, siteId);
  return {
    badge: badge && { since: badge.since },
    sharedReports: reports.map(({ number, since }) => ({ run: number, since })),
  };
}

async function findPublished(db: Database, token: string, kind: Publication['kind']) {
  return isSecretToken(token) ? db.one(selectPublished({ token, kind })) : undefined;
}

const NO_SCORE: Badge = { score: null, findings: [], answer: null };

/** Returns null for an unknown token, or while the site is not verified. */
export async function findBadge(db: Database, token: string): Promise<Badge | null> {
  const found = await findPublished(db, token, 'badge');
  if (!found) return null;
  const { score, results, answer } = found;
  return score === null ? NO_SCORE : { score, findings: parseResults(results ?? ''), answer: unpackAnswer(answer) };
}

/**
 * Returns the content of a public report, without evidence or text from the site other than its host name. Returns null for an unknown
 * token, or while the site is not verified.
 */
export async function findReport(db: Database, token: string) {
  const found = await findPublished(db, token, 'report');
  if (!found) return null;
  const { hostname, origin, score, body } = found;
  if (!body) return { hostname, report: null };
  const { body: response, advice } = unpackRun(body);
  const { run, findings } = parseRun(response);
  const finishedAt = run.finishedAt ?? run.startedAt;
  const answer = unpackAnswer(found.answer);
  return { hostname, report: { hostname, origin, score, finishedAt, findings, gains: advice.gains, answer } };
}

export type FoundReport = NonNullable<Awaited<ReturnType<typeof findReport>>>;
