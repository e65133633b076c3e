import { packRun } from '../../src/app/runs/run-bodies.js';
import { formatResults } from '../../src/app/runs/run-rows.js';
import type { SiteExchange, StoredEvidence } from '../../src/scanner/trace/stored-evidence.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open.js';
import { storeEvidence } from '../support/reports.js';
import { insertRow, updateRows } from '../support/tables.js';
import { ADDRESS, PAYLOADS } from './payloads.js';

/** All payloads in one text, then each alone. */
const NAMES = [PAYLOADS.join(' '), ...PAYLOADS];

/**
 * Stores what no form would accept, since pages must be safe whatever is in the database.
 * @returns `siteIds`: a site for each of the names, with a key of that name; `webhookIds`: one whose URL and messages have all payloads, and
 * one whose URL is the payload that is an address
 */
export async function storePayloads(databaseFile: string, accountId: string) {
  const db = await openDatabase(`sqlite:${databaseFile}`);
  try {
    const at = new Date().toISOString();
    const siteIds: string[] = [];
    for (const [index, name] of NAMES.entries()) {
      const id = `key_${tailOf(index)}`;
      await insertRow(db, 'api_keys', { id, account_id: accountId, name, digest: id, hint: name, created_at: at });
      siteIds.push(await storeSite(db, { accountId, name, at, index }));
    }
    await updateRows(db, 'accounts', { id: accountId }, { name: NAMES[0]!, email: NAMES[0]! });
    const webhookIds: string[] = [];
    for (const [index, name] of [`https://kiln-street.com/?${NAMES[0]}`, ADDRESS].entries())
      webhookIds.push(await storeWebhook(db, { accountId, name, at, index }, siteIds));
    return { siteIds, webhookIds };
  } finally {
    await db.close();
  }
}

interface Row {
  readonly accountId: string;
  readonly name: string;
  readonly at: string;
  readonly index: number;
}

function tailOf(index: number): string {
  const [high, low] = [Math.floor(index / 26), index % 26].map((digit) => String.fromCharCode(97 + digit));
  return `${'a'.repeat(18)}${high}${low}`;
}

/** Stores a site with two runs. Each run of the first site has a finding for each payload. */
async function storeSite(db: Database, { accountId, name, at, index }: Row): Promise<string> {
  const id = `site_${tailOf(index)}`;
  const texts = index === 0 ? PAYLOADS : [name];
  await insertRow(db, 'sites', {
    ...{ id, account_id: accountId, origin: `https://www${index}.kiln-street.com`, hostname: name, created_at: at },
    ...{ verified_at: at, verified_by: 'file', tags: JSON.stringify([name]), chosen_pages: JSON.stringify(texts) },
  });
  for (const [number, result] of [
    [1, 'PASS'],
    [2, 'FAIL'],
  ] as const) {
    const run = { number, reference: name, score: 50, trigger: 'API' };
    const findings = texts.map((text) => findingOf(text, result));
    const times = { startedAt: at, finishedAt: at };
    const body = packRun(
      Buffer.from(JSON.stringify({ site: { id, hostname: name }, run: { ...run, ...times }, findings })),
    );
    await updateRows(db, 'sites', { id }, { run_counter: number });
    await insertRow(db, 'runs', {
      ...{ ...run, site_id: id, started_at: at, finished_at: at, label: name, commit_id: name, body, etag: '"x"' },
      pages: JSON.stringify({ chosen: texts.map((path) => ({ path, isRead: true })) }),
      results: formatResults({ findings }),
    });
    await storeEvidence(db, { siteId: id, number }, evidenceOf(texts[0]!));
  }
  return id;
}

/** Returns evidence with every payload in each text of the site, and all of them in one excerpt. */
function evidenceOf(checkId: string): StoredEvidence {
  const exchanges = PAYLOADS.map((payload): SiteExchange => ({
    ...{ source: 'site', isControl: false, method: 'GET', hasQuery: true, durationMs: 1 },
    ...{ url: `https://kiln-street.com/${payload}`, userAgent: payload, accept: payload },
    sent: { type: payload, body: payload },
    answer: {
      status: 200,
      headers: [
        ['server', payload],
        ['link', PAYLOADS.join(' ')],
      ],
      body: { byteCount: 1, isOverLimit: false },
    },
  }));
  const text = PAYLOADS.join('\n');
  const shown = exchanges.map((_, exchange) => ({
    exchange,
    excerpt: { text, firstLine: 1, marked: [2, 7] },
    isRelated: false,
  }));
  return { exchanges, findings: [{ checkId, exchanges: shown, omittedCount: 1 }] };
}

function findingOf(text: string, result: 'PASS' | 'FAIL'): Finding {
  const texts = { checkId: text, title: text, explanation: text, fix: `${text}\n\n${text}`, detail: text };
  return { ...texts, pillar: 'A', scored: true, result, errorType: result === 'FAIL' ? 'FORMAT' : null };
}

/** Stores a webhook with a message of each site, whose texts no receiver could produce. */
async function storeWebhook(db: Database, row: Row, siteIds: readonly string[]): Promise<string> {
  const { accountId, name, at, index } = row;
  const id = `wh_${tailOf(index)}`;
  await insertRow(db, 'webhooks', { id, account_id: accountId, url: name, secret: name, created_at: at });
  for (const [place, siteId] of siteIds.slice(0, 20).entries()) {
    const text = NAMES[place]!;
    await insertRow(db, 'deliveries', {
      ...{ id: `msg_${tailOf(index * NAMES.length + place)}`, account_id: accountId, webhook_id: id, site_id: siteId },
      ...{ event: text, body: '{}', created_at: at, state: 'failed', attempts: 1, problem: text },
    });
  }
  return id;
}
