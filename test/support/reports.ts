import { gzipSync } from 'node:zlib';
import { ASSISTANTS, TRIED_TOKENS } from '../../src/scanner/artifacts/agents.js';
import type { Answer, Assistant, AssistantToken, Training } from '../../src/scanner/artifacts/answer.js';
import type { SampledPages } from '../../src/scanner/artifacts/pages.js';
import type { Gain } from '../../src/scanner/report/gain.js';
import type { SiteExchange, StoredEvidence } from '../../src/scanner/trace/stored-evidence.js';
import type { Check } from '../../src/scanner/verdict/check.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import type { Note } from '../../src/scanner/verdict/note.js';
import type { Database } from '../../src/store/database.js';
import { defineQuery } from '../../src/store/query.js';

/** Texts of a check that is not in the registry. */
export const CHECK_TEXTS = {
  id: 'C-TEST-01',
  revision: 1,
  pillar: 'A',
  title: 'a title',
  shortName: 'Test',
  answer: 'It passes.',
  explanation: 'an explanation',
  judgedBy: [],
} as const;

/** A finding with these fields, the rest filled in: enough where a test speaks of results only. */
export function finding(fields: Partial<Finding> & Pick<Finding, 'checkId' | 'result'>): Finding {
  return {
    pillar: 'A',
    scored: true,
    errorType: fields.result === 'FAIL' ? 'MISSING' : null,
    detail: fields.result === 'FAIL' ? 'It answers 404.' : null,
    title: `title of ${fields.checkId}`,
    explanation: `explanation of ${fields.checkId}`,
    fix: `fix of ${fields.checkId}`,
    ...fields,
  };
}

/** A finding of a check of the registry, with its texts: where it fails, the kind and fix of its first failure. */
export function findingFrom(check: Check, fields: Partial<Finding> & Pick<Finding, 'result'>): Finding {
  const { id: checkId, pillar, scored, title, explanation } = check;
  const failure = fields.result === 'FAIL' ? namedFailures(check)[0] : undefined;
  const { errorType = null, fix = null } = failure ?? {};
  return finding({ ...{ checkId, pillar, scored, errorType, title, explanation, fix }, ...fields });
}

/** A line of robots.txt disallows the agent. */
export const disallowed = (line: number) => ({ robots: 'disallowed', line, server: 'untested' }) as const;
/** The server refuses the agent. */
export const refused = (status: number) => ({ server: 'refused', status }) as const;

type Other = Partial<Omit<Assistant, 'name' | 'tokens'>> & { readonly tokens?: readonly Partial<AssistantToken>[] };

/** Every assistant can read the site, but for what is said of others: of their agents in order, what is not as usual. */
export function answerWith(others: Readonly<Record<string, Other>> = {}, training: Training = 'unsaid'): Answer {
  const assistants = ASSISTANTS.map(({ name, tokens }): Assistant => {
    const { tokens: ofTokens = [], ...other } = others[name] ?? {};
    return {
      name,
      state: 'open',
      ...other,
      tokens: tokens.map((token, at) => {
        const server = TRIED_TOKENS.some((tried) => tried === token) ? 'served' : 'untested';
        return { token, robots: 'allowed', line: null, server, status: null, ...ofTokens[at] } as const;
      }),
    };
  });
  return { assistants, training };
}

export const ALL_OPEN = answerWith();
export const CHATGPT_BLOCKED = answerWith({ ChatGPT: { state: 'blocked', tokens: [disallowed(7), disallowed(7)] } });
export const CHATGPT_REFUSED = answerWith({ ChatGPT: { state: 'blocked', tokens: [refused(403), refused(403)] } });
const UNREAD = { robots: 'unknown', server: 'untested' } as const;
const unknownBecause = (reason: 'robots' | 'silent') =>
  answerWith(
    Object.fromEntries(
      ASSISTANTS.map(({ name }) => [name, { state: 'unknown', reason, tokens: [UNREAD, UNREAD] } as const]),
    ),
    'unknown',
  );
/** robots.txt cannot be read. */
export const UNKNOWN = unknownBecause('robots');
/** The site does not answer. */
export const SILENT = unknownBecause('silent');

/** One note about the whole report, and one alongside a finding. */
export const NOTES: readonly [Note, Note] = [
  {
    id: 'served-text',
    checkId: null,
    text: 'Scripts make what is on these pages: the home page.',
    standard: 'Agent-Friendly Documentation Spec (0.6.0)',
    url: 'https://agentdocsspec.com/',
  },
  {
    id: 'llms-template',
    checkId: 'C-LLMS-02',
    text: 'A text of the template is left in llms.txt: write your own.',
    standard: 'llms.txt (v2)',
    url: 'https://llmstxt.org/',
  },
];

/** That a site has moved, as the scanner notes it. */
export const MOVE_NOTE: Note = {
  id: 'moved',
  checkId: null,
  text: 'This site redirects to another domain: scan that domain instead. This host is not checked.',
  standard: 'HTTP (RFC 9110)',
  url: 'https://www.rfc-editor.org/rfc/rfc9110',
};

/** What fixing a failure adds to the score. */
export const GAINS: readonly Gain[] = [{ checkId: 'C-LLMS-01', points: 19, isAtLeast: false }];

/** Which assistants can read the site: line 7 of robots.txt closes out both agents of ChatGPT, and the server refuses PerplexityBot. */
export const ANSWER = answerWith(
  {
    ChatGPT: { state: 'blocked', tokens: [disallowed(7), disallowed(7)] },
    Perplexity: { state: 'blocked', tokens: [refused(403)] },
  },
  'partly',
);

/** Which pages it has read, of those that were chosen. */
export const PAGES: SampledPages = {
  chosen: [
    { path: '/pricing', isRead: true },
    { path: '/gone', isRead: false },
  ],
};

/** What a caller names a run: hostile text, which no answer of a hook or of the API repeats. */
export const LABEL = { label: 'v2.3.1 "</script><img src=x onerror=xss()>', commit: '4f2a1c9' };

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

/** Stores evidence of a run. A service quotes none of what it scans on loopback. */
export async function storeEvidence(
  db: Database,
  { siteId, number }: { readonly siteId: string; readonly number: number },
  evidence: StoredEvidence,
): Promise<void> {
  const key = { site_id: siteId, number, check_id: '' };
  const bytes = gzipSync(JSON.stringify(evidence));
  const row = { ...key, stored_at: new Date().toISOString(), evidence: bytes, account_id: '', bytes: 0 };
  const store = defineQuery<never>((sql) => sql('run_evidence').insert(row).onConflict(Object.keys(key)).merge());
  await db.run(store({}));
}
