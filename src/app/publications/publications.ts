import type { Knex } from 'knex';
import { ServiceError } from '../../platform/errors.js';
import { isSecretToken, newSecretToken } from '../../platform/ids.js';
import type { Answer } from '../../scanner/artifacts/answer.js';
import type { Gain } from '../../scanner/report/gain.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Database, Tx } from '../../store/database.js';
import { defineQuery } from '../../store/query.js';
import { table } from '../../store/table.js';
import { recordEvent } from '../audit/audit.js';
import type { Context } from '../context.js';
import { unpackAnswer, unpackRun } from '../runs/run-bodies.js';
import { type CheckResult, lastScored, parseResults, UNSCORED_RUNS_MAX } from '../runs/run-rows.js';
import { parseRun } from '../runs/run.js';
import { lockOwnSite, type OwnSite } from '../sites/own-site.js';
import { lockSiteAgainstChanges, type SiteOfAccount } from '../sites/site.js';

/** A badge or a report that an owner publishes at an unguessable address. */
export interface Publication {
  readonly kind: 'badge' | 'report';
  /** Number of the report's run; null for the latest run, and for the badge. */
  readonly number: number | null;
}

export const BADGE: Publication = { kind: 'badge', number: null };

/** A published report, as its owner sees it. */
export interface OwnReport {
  /** Number of its run; null for a report of the latest run. */
  readonly number: number | null;
  /** The unguessable part of its address. */
  readonly token: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** What a site has published. */
export interface Published {
  /** The unguessable part of the badge's address; null while the badge is off, as it is by default. */
  readonly badge: string | null;
  /** The report of the latest run comes first. */
  readonly reports: readonly OwnReport[];
}

/** The content of a badge: the last score and the results of that run. */
export interface Badge {
  /** Null if no run has a score yet. */
  readonly score: number | null;
  /** Results of the run that has the score; empty without one. */
  readonly findings: readonly Pick<CheckResult, 'checkId' | 'result'>[];
  /** Which assistants can read the site; null if that run does not say. */
  readonly answer: Answer | null;
}

/** The content of a public report: no evidence, and no text from the site except its host name. */
export interface ShownReport {
  readonly hostname: string;
  /** Used in suggested fixes, such as `https://www.example.com`. */
  readonly origin: string;
  readonly score: number | null;
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
  /** Which assistants can read the site; null if the run does not say. */
  readonly answer: Answer | null;
}

export interface FoundReport {
  readonly hostname: string;
  /** Null before the first run. */
  readonly report: ShownReport | null;
}

interface PublicationRow {
  readonly site_id: string;
  readonly kind: Publication['kind'];
  /** {@link LATEST} for the latest run, and for the badge. */
  readonly number: number;
  readonly token: string;
  readonly created_at: string;
}

const publications = table<PublicationRow>('publications', ['site_id', 'kind', 'number']);

const LATEST = 0;

/** The last run that has a score; all columns are null if there is none. */
interface ScoredRow {
  readonly score: number | null;
  readonly results: string | null;
  readonly answer: string | null;
}

const selectBadge = defineQuery<ScoredRow, { token: string }>((sql, { token }) =>
  selectLastScored(sql)
    .join('publications as p', 'p.site_id', 's.id')
    .where({ 'p.token': token, 'p.kind': 'badge', 's.is_deleting': 0 })
    .whereNotNull('s.verified_at'),
);

const selectBadgePreview = defineQuery<ScoredRow, { site_id: string }>((sql, { site_id }) =>
  selectLastScored(sql).where({ 's.id': site_id }),
);

function selectLastScored(sql: Knex): Knex.QueryBuilder {
  return sql('sites as s')
    .leftJoin('runs as r', (on) =>
      on.on('r.site_id', 's.id').andOn('r.number', sql.raw(lastScored('s'), [UNSCORED_RUNS_MAX])),
    )
    .select('r.score', 'r.results', 'r.answer');
}

/**
 * Selects the run that a report shows. A report of the latest run shows the last run that has a score, as the badge does. Returns no row
 * while the site is being removed or is not verified; `body` is null before the first run.
 */
const selectReport = defineQuery<
  {
    readonly hostname: string;
    readonly origin: string;
    readonly body: Uint8Array | null;
    readonly answer: string | null;
  },
  { token: string }
>((sql, { token }) => {
  const shown = sql.raw(
    `CASE WHEN p.number > ${LATEST} THEN p.number ELSE COALESCE(${lastScored('s')}, s.run_counter) END`,
    [UNSCORED_RUNS_MAX],
  );
  return sql('publications as p')
    .join('sites as s', 's.id', 'p.site_id')
    .leftJoin('runs as r', (on) => on.on('r.site_id', 's.id').andOn('r.number', shown))
    .select('s.hostname', 's.origin', 'r.body', 'r.answer')
    .where({ 'p.token': token, 'p.kind': 'report', 's.is_deleting': 0 })
    .whereNotNull('s.verified_at');
});

const EVENTS = {
  badge: { published: 'badge_turned_on', renewed: 'badge_renewed', withdrawn: 'badge_turned_off' },
  report: { published: 'report_published', renewed: 'report_renewed', withdrawn: 'report_withdrawn' },
} as const;

type PublicationContext = Pick<Context, 'db' | 'clock'>;

/**
 * Publishes something, or replaces its address: the previous one stops working.
 * @returns the unguessable part of the address
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
    // If the ownership ends at the same time, whichever comes second must see the first.
    const own = await lockOwnSite(tx, site, lockSiteAgainstChanges);
    const { id, accountId, hostname, verifiedAt, latestNumber } = own;
    if (verifiedAt === null) throw new ServiceError('domain_not_verified');
    if (number !== null && !(number >= 1 && number <= latestNumber)) throw new ServiceError('run_not_found');
    const key = { site_id: id, kind, number: number ?? LATEST };
    const event = EVENTS[kind][(await tx.one(publications.find(key, ['token']))) ? 'renewed' : 'published'];
    await recordEvent(tx, { accountId, event, subject: subjectOf(hostname, number), now });
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
    await recordEvent(tx, { accountId, event, subject: subjectOf(hostname, number), now });
  });
}

function subjectOf(hostname: string, number: number | null): string {
  return number === null ? hostname : `run ${number} of ${hostname}`;
}

/** Withdraws every report of a site. */
export async function withdrawReports(tx: Tx, siteId: string): Promise<void> {
  await tx.run(publications.delete({ site_id: siteId, kind: 'report' }));
}

export async function listPublished(db: Database, { id }: OwnSite): Promise<Published> {
  const rows = await readPublications(db, id);
  const reports = rows.filter(({ kind }) => kind === 'report');
  return {
    badge: rows.find(({ kind }) => kind === 'badge')?.token ?? null,
    reports: reports.map(({ number, token, created_at: since }) => ({ number: numberOf(number), token, since })),
  };
}

/** Returns a site's badge and reports for its account's export, without their addresses. */
export async function publishedToExport(db: Database, siteId: string): Promise<Readonly<Record<string, unknown>>> {
  const rows = await readPublications(db, siteId);
  const badge = rows.find(({ kind }) => kind === 'badge');
  const reports = rows.filter(({ kind }) => kind === 'report');
  return {
    badge: badge ? { since: badge.created_at } : null,
    sharedReports: reports.map(({ number, created_at }) => ({ run: numberOf(number), since: created_at })),
  };
}

function readPublications(db: Database, site_id: string) {
  return db.run(publications.find({ site_id }, ['kind', 'number', 'token', 'created_at'], 'number'));
}

function numberOf(stored: number): number | null {
  return stored === LATEST ? null : stored;
}

/** Returns null for an unknown token, and while the site is not verified. */
export async function findBadge(db: Database, token: string): Promise<Badge | null> {
  if (!isSecretToken(token)) return null;
  const row = await db.one(selectBadge({ token }));
  return row ? badgeOf(row) : null;
}

/** Returns what the site's badge shows, or would show once it is on. */
export async function previewBadge(db: Database, { id }: OwnSite): Promise<Badge> {
  return badgeOf(await db.one(selectBadgePreview({ site_id: id })));
}

function badgeOf({ score, results, answer }: ScoredRow = { score: null, results: null, answer: null }): Badge {
  const found = results === null ? [] : parseResults(results);
  return { score, findings: found.map(({ checkId, result }) => ({ checkId, result })), answer: unpackAnswer(answer) };
}

/** Returns null for an unknown token, and while the site is not verified. */
export async function findReport(db: Database, token: string): Promise<FoundReport | null> {
  if (!isSecretToken(token)) return null;
  const row = await db.one(selectReport({ token }));
  if (!row) return null;
  const { hostname, origin, body, answer } = row;
  if (!body) return { report: null, hostname };
  const { body: response, advice } = unpackRun(body);
  const { run, findings } = parseRun(response);
  const { score, startedAt, finishedAt } = run;
  const report: ShownReport = {
    hostname,
    origin,
    score,
    findings,
    finishedAt: finishedAt ?? startedAt,
    gains: advice.gains,
    answer: unpackAnswer(answer),
  };
  return { hostname, report };
}
