import type { Gain } from '../../scanner/report/gain.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Clock } from '../../platform/clock.js';
import { ServiceError } from '../../platform/errors.js';
import { isSecretToken, newSecretToken } from '../../platform/secret-token.js';
import { addJob } from '../../queue/jobs.js';
import { type Database, runOne } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import type { FinishedRun } from '../runs/run-performer.js';
import { parseRun } from '../runs/run.js';
import { RunTexts } from '../runs/run-texts.js';
import { holdOwnSite, type OwnSite } from '../sites/own-site.js';
import type { SiteOfAccount } from '../sites/site.js';
import type { Picture, PublishedReport } from './shared-report.js';
import {
  deleteSharedReport,
  deleteSharedReports,
  LATEST,
  selectPicture,
  selectSharedReport,
  selectSharedReports,
  selectShown,
  type ShownRow,
  upsertSharedReport,
} from './shared-report-statements.js';

/** A report that its owner has published. */
export interface OwnSharedReport {
  /** Of which run; null: always the latest. */
  readonly number: number | null;
  /** The unguessable part of its address. */
  readonly token: string;
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly pictureTag: string | null;
}

/** A report of a site: of one run, or always of the latest. */
export interface ReportOfSite extends SiteOfAccount {
  readonly number: number | null;
}

/** What changes a site's reports rejects with ServiceError site_not_found, for another account's site too. */
export class SharedReports {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #texts: RunTexts;

  constructor({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
    this.#texts = new RunTexts(db);
  }

  /** Those that are published, the one of the latest run first. */
  async listOf({ id }: OwnSite): Promise<readonly OwnSharedReport[]> {
    const rows = await this.#db.run(selectSharedReports({ site_id: id }));
    return rows.map(({ number, token, created_at: since, picture_tag: pictureTag }) => ({
      ...{ number: number === LATEST ? null : number, token, since, pictureTag },
    }));
  }

  /**
   * Publishes a report, or gives it a new address: the one before stops working. Its preview is drawn soon.
   * @throws ServiceError domain_not_verified; run_not_found
   */
  async turnOn({ number, ...site }: ReportOfSite): Promise<string> {
    const token = newSecretToken();
    const now = this.#clock.now();
    await this.#db.transaction(function* () {
      const { id, accountId, hostname, verifiedAt, latestNumber } = yield* holdOwnSite(site);
      if (verifiedAt === null) throw new ServiceError('domain_not_verified');
      if (number !== null && !(number >= 1 && number <= latestNumber)) throw new ServiceError('run_not_found');
      const key = keyOf(id, number);
      const event = (yield* one(selectSharedReport(key))) ? 'report_renewed' : 'report_published';
      yield* recordEvent({ accountId, event, subject: subjectOf(hostname, number), now });
      yield* execute(upsertSharedReport({ ...key, token, created_at: now.toISOString() }));
      if (latestNumber > 0) yield* askForPreview(id, accountId, key.number, now);
    });
    return token;
  }

  async turnOff({ number, ...site }: ReportOfSite): Promise<void> {
    const now = this.#clock.now();
    await this.#db.transaction(function* () {
      const { id, accountId, hostname } = yield* holdOwnSite(site);
      const key = keyOf(id, number);
      if (!(yield* one(selectSharedReport(key)))) return;
      yield* recordEvent({ accountId, event: 'report_withdrawn', subject: subjectOf(hostname, number), now });
      yield* execute(deleteSharedReport(key));
    });
  }

  /** Null for an unknown token, and where the site is no longer its owner's. */
  async find(token: string): Promise<PublishedReport | null> {
    if (!isSecretToken(token)) return null;
    const row = await runOne(this.#db, selectShown({ token }));
    return row ? publishedOf(row, this.#texts) : null;
  }

  /** The preview; null until it is drawn, and where there is no report. */
  async picture(token: string): Promise<Picture | null> {
    const row = isSecretToken(token) ? await runOne(this.#db, selectPicture({ token })) : undefined;
    if (!row?.picture || row.picture_tag === null) return null;
    return { png: row.picture, etag: row.picture_tag };
  }
}

export async function publishedOf(row: ShownRow, texts: RunTexts): Promise<PublishedReport> {
  const { hostname, origin, body, gains, picture_tag: pictureTag } = row;
  if (!body) return { report: null, hostname, pictureTag };
  const { run, findings } = parseRun(await texts.unpack(body));
  const { score, startedAt, finishedAt } = run;
  const report = {
    hostname,
    origin,
    score,
    finishedAt: finishedAt ?? startedAt,
    findings: findings as readonly Finding[],
  };
  return { report: { ...report, gains: JSON.parse(gains ?? '[]') as Gain[] }, hostname, pictureTag };
}

/** Has the preview of a site's latest report drawn again, in the transaction that stores a run. Costs a look-up where there is none. */
export function createPreviewAtFinish({ clock }: { readonly clock: Clock }): (run: FinishedRun) => Transaction<void> {
  return function* ({ accountId, response }) {
    const siteId = response.site.id;
    if (!(yield* one(selectSharedReport({ site_id: siteId, number: LATEST })))) return;
    yield* askForPreview(siteId, accountId, LATEST, clock.now());
  };
}

/** Withdraws every report of a site: with its ownership they go. */
export function dropSharedReports(siteId: string): Transaction<void> {
  return execute(deleteSharedReports({ site_id: siteId }));
}

/** What an account's export says of a site: not the addresses. */
export async function sharedReportsToExport(db: Database, siteId: string): Promise<Readonly<Record<string, unknown>>> {
  const rows = await db.run(selectSharedReports({ site_id: siteId }));
  const sharedReports = rows.map(({ number, created_at: since }) => ({
    run: number === LATEST ? null : number,
    since,
  }));
  return { sharedReports };
}

export const REPORT_PREVIEW = 'REPORT_PREVIEW';

function* askForPreview(siteId: string, accountId: string, number: number, now: Date): Transaction<void> {
  const key = `${siteId} ${number}`;
  yield* addJob({ queue: 'previews', kind: REPORT_PREVIEW, key, accountId, siteId, runAfter: now }, now);
}

function keyOf(site_id: string, number: number | null) {
  return { site_id, number: number ?? LATEST };
}

function subjectOf(hostname: string, number: number | null): string {
  return number === null ? hostname : `run ${number} of ${hostname}`;
}
