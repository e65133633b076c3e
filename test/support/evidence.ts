import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import type { StoredEvidence, SiteExchange } from '../../src/scanner/trace/stored-evidence.js';

/** The words of a site, in an excerpt. */
export const WORDS = 'User-agent: *\nDisallow: /\n# words of the site';

const ROBOTS: SiteExchange = {
  ...{ source: 'site', isControl: false, method: 'GET', hasQuery: true, durationMs: 41 },
  ...{ url: 'https://shop.example.com/robots.txt', userAgent: 'AgentReadinessScanner/1.0', accept: 'text/plain' },
  sent: null,
  answer: {
    status: 200,
    headers: [
      ['content-type', 'text/plain'],
      ['server', 'words-of-a-header'],
    ],
    body: { byteCount: 45, isOverLimit: false },
  },
};
const CONTROL: SiteExchange = {
  ...ROBOTS,
  ...{ isControl: true, hasQuery: false, url: 'https://shop.example.com/x123.txt', durationMs: null },
  answer: { failure: 'reset' },
};

const GONE: SiteExchange['answer'] = { status: 404, headers: [], body: null };

/** The place that a finding names: where the words begin, and on which line it is. */
interface Place {
  readonly url: string;
  readonly firstLine: number;
  readonly named: number;
  /** The page that it leads to, which is gone. */
  readonly gone?: string;
}

const IN_ROBOTS: Place = { url: ROBOTS.url, firstLine: 5, named: 6 };

/** What the failure of one check is based on: an answer, a control, and requests to others. */
export function evidenceFor(checkId: string, words = WORDS, place = IN_ROBOTS): StoredEvidence {
  const { url, firstLine, named, gone } = place;
  return {
    exchanges: [
      { ...ROBOTS, url, hasQuery: place === IN_ROBOTS },
      { ...CONTROL, url: new URL('/x123.txt', url).href },
      { source: 'other host', isControl: false, outcome: 'refused' },
      { source: 'private address', isControl: false, outcome: null },
      ...(gone === undefined ? [] : [{ ...ROBOTS, url: gone, hasQuery: false, answer: GONE }]),
    ],
    findings: [
      {
        checkId,
        exchanges: [
          { exchange: 0, excerpt: { text: words, firstLine, marked: [named] }, isRelated: false },
          ...(gone === undefined ? [] : [{ exchange: 4, excerpt: null, isRelated: false }]),
          { exchange: 1, excerpt: null, isRelated: false },
          { exchange: 2, excerpt: null, isRelated: false },
          { exchange: 3, excerpt: null, isRelated: true },
        ],
        omittedCount: 2,
      },
    ],
  };
}

/** Keeps it alongside a run in the database of a service that goes on: what it scans on loopback is not quoted. */
export function storeEvidence(
  databaseFile: string,
  { siteId, number }: { readonly siteId: string; readonly number: number },
  evidence: StoredEvidence,
): void {
  const db = new Database(databaseFile);
  try {
    db.prepare(
      "INSERT OR REPLACE INTO run_evidence (site_id, number, check_id, stored_at, evidence, account_id, bytes) VALUES (?, ?, '', ?, ?, '', 0)",
    ).run(siteId, number, new Date().toISOString(), gzipSync(JSON.stringify(evidence)));
  } finally {
    db.close();
  }
}
