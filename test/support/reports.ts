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

/** Returns a finding with default texts. */
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

/** Returns a finding with the texts of its check. A failure is the first of the check's failures. */
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

/** Returns an answer in which every assistant can read the site, except as given. Tokens are in the order of the agents. */
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

/** A note about the whole report, and one about a finding. */
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

export const MOVE_NOTE: Note = {
  id: 'moved',
  checkId: null,
  text: 'This site redirects to another domain: scan that domain instead. This host is not checked.',
  standard: 'HTTP (RFC 9110)',
  url: 'https://www.rfc-editor.org/rfc/rfc9110',
};

export const GAINS: readonly Gain[] = [{ checkId: 'C-LLMS-01', points: 19, isAtLeast: false }];

/** Line 7 of robots.txt disallows both agents of ChatGPT, and the server refuses PerplexityBot. */
export const ANSWER = answerWith(
  {
    ChatGPT: { state: 'blocked', tokens: [disallowed(7), disallowed(7)] },
    Perplexity: { state: 'blocked', tokens: [refused(403)] },
  },
  'partly',
);

export const PAGES: SampledPages = {
  chosen: [
    { path: '/pricing', isRead: true },
    { path: '/gone', isRead: false },
  ],
};

/** A hostile name of a run, which no answer of a hook or the API repeats. */
export const LABEL = { label: 'v2.3.1 "</script><img src=x onerror=xss()>', commit: '4f2a1c9' };

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

/** The place that a finding names. `firstLine` is that of the excerpt, `named` that of the finding. */
interface Place {
  readonly url: string;
  readonly firstLine: number;
  readonly named: number;
  /** The page that it leads to, which is gone. */
  readonly gone?: string;
}

const IN_ROBOTS: Place = { url: ROBOTS.url, firstLine: 5, named: 6 };

/** Returns the evidence of a failure: an answer, a control, and requests to other hosts. */
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
