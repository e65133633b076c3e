import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { StoredEvidence, SiteExchange } from '../../src/scanner/trace/stored-evidence.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { packRun } from '../../src/app/runs/run-bodies.js';
import { formatResults } from '../../src/app/runs/run-rows.js';
import { ADDRESS, PAYLOADS } from './payloads.js';

/** All in one text, and each alone. */
const NAMES = [PAYLOADS.join(' '), ...PAYLOADS];

export interface StoredPayloads {
  /** One site and one key by each name: the first has all payloads in its name, the others one each. */
  readonly siteIds: readonly string[];
  /** One whose address and messages have all payloads, and one whose address is the payload that is an address itself. */
  readonly webhookIds: readonly string[];
}

/** Stores what no form would take: the pages have to hold, whatever got into the database. */
export function storePayloads(databaseFile: string, accountId: string): StoredPayloads {
  const db = new Database(databaseFile);
  try {
    const at = new Date().toISOString();
    const siteIds = NAMES.map((name, index) => {
      storeKey(db, { accountId, name, at, index });
      return storeSite(db, { accountId, name, at, index });
    });
    db.prepare('UPDATE accounts SET name = ?, email = ? WHERE id = ?').run(NAMES[0], NAMES[0], accountId);
    const webhookIds = [`https://kiln-street.com/?${NAMES[0]}`, ADDRESS].map((url, index) =>
      storeWebhook(db, { accountId, name: url, at, index }, siteIds),
    );
    return { siteIds, webhookIds };
  } finally {
    db.close();
  }
}

interface Row {
  readonly accountId: string;
  readonly name: string;
  readonly at: string;
  readonly index: number;
}

/** The 20 characters of an id. */
function tailOf(index: number): string {
  const [high, low] = [Math.floor(index / 26), index % 26].map((digit) => String.fromCharCode(97 + digit));
  return `${'a'.repeat(18)}${high}${low}`;
}

/** A site with two runs. Those of the first one have every payload in a finding of its own. */
function storeSite(db: Database.Database, { accountId, name, at, index }: Row): string {
  const id = `site_${tailOf(index)}`;
  db.prepare(
    `INSERT INTO sites (id, account_id, origin, hostname, verified_at, verified_by, created_at, tags)
     VALUES (?, ?, ?, ?, ?, 'file', ?, ?)`,
  ).run(id, accountId, `https://www${index}.kiln-street.com`, name, at, at, JSON.stringify([name]));
  for (const [number, result] of [
    [1, 'PASS'],
    [2, 'FAIL'],
  ] as const) {
    const run = { number, reference: name, score: 50, trigger: 'API', startedAt: at, finishedAt: at };
    const findings = (index === 0 ? PAYLOADS : [name]).map((text) => findingOf(text, result));
    const site = { id, hostname: name };
    const body = Buffer.from(JSON.stringify({ site, run, findings }));
    db.prepare('UPDATE sites SET run_counter = ? WHERE id = ?').run(number, id);
    const chosen = (index === 0 ? PAYLOADS : [name]).map((path) => ({ path, isRead: true }));
    const pages = JSON.stringify({ chosen });
    db.prepare(
      `INSERT INTO runs
        (site_id, number, reference, score, trigger, started_at, finished_at, label, commit_id, pages, results, body, etag)
       VALUES (?, ?, ?, 50, 'API', ?, ?, ?, ?, ?, ?, ?, '"x"')`,
    ).run(id, number, name, at, at, name, name, pages, formatResults({ findings }), packRun(body));
    const evidence = gzipSync(JSON.stringify(evidenceOf(findings[0]?.checkId ?? '')));
    db.prepare(
      "INSERT INTO run_evidence (site_id, number, check_id, stored_at, evidence, account_id, bytes) VALUES (?, ?, '', ?, ?, '', 0)",
    ).run(...[id, number, at, evidence]);
  }
  db.prepare('UPDATE sites SET chosen_pages = ? WHERE id = ?').run(JSON.stringify(index === 0 ? PAYLOADS : [name]), id);
  return id;
}

/** Every payload wherever a site has a say in the evidence behind a finding, and all of them in one excerpt. */
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

/** A finding whose every text is a payload, as no check would write it. */
function findingOf(text: string, result: 'PASS' | 'FAIL'): Finding {
  const texts = { checkId: text, title: text, explanation: text, fix: `${text}\n\n${text}`, detail: text };
  return { ...texts, pillar: 'A', scored: true, result, errorType: result === 'FAIL' ? 'FORMAT' : null };
}

/** A webhook with a message of each site, whose texts are as no receiver could make them. */
function storeWebhook(db: Database.Database, { accountId, name, at, index }: Row, siteIds: readonly string[]): string {
  const id = `wh_${tailOf(index)}`;
  db.prepare('INSERT INTO webhooks (id, account_id, url, secret, created_at) VALUES (?, ?, ?, ?, ?)').run(
    ...[id, accountId, name, name, at],
  );
  const insert = db.prepare(
    `INSERT INTO deliveries (id, account_id, webhook_id, site_id, event, body, created_at, state, attempts, problem)
     VALUES (?, ?, ?, ?, ?, '{}', ?, 'failed', 1, ?)`,
  );
  for (const [place, siteId] of siteIds.slice(0, 20).entries()) {
    const text = NAMES[place] ?? '';
    insert.run(`msg_${tailOf(index * NAMES.length + place)}`, accountId, id, siteId, text, at, text);
  }
  return id;
}

function storeKey(db: Database.Database, { accountId, name, at, index }: Row): void {
  const statement = 'INSERT INTO api_keys (id, account_id, name, digest, hint, created_at) VALUES (?, ?, ?, ?, ?, ?)';
  db.prepare(statement).run(`key_${tailOf(index)}`, accountId, name, tailOf(index), name, at);
}
