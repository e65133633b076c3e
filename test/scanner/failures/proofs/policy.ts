import { TRIED_TOKENS } from '../../../../src/scanner/agents/tokens.js';
import type { FixtureAnswer, FixtureRoute } from '../../../support/fixture-site.js';
import { FAILING, home, type Proof, type Proofs, type Routes } from './proof.js';

const CLOSED = 'User-agent: *\nDisallow: /';

const served = (start: string, answer: FixtureAnswer): Proof => ({
  failing: { '/robots.txt': answer },
  mended: (fix) => fix.served(fix.snippet(start)),
});

export const BOT_01: Proofs = {
  BLOCKED: {
    failing: { '/robots.txt': CLOSED },
    mended: ({ snippet }) => ({
      '/robots.txt': [snippet('User-agent: OAI-SearchBot'), snippet('User-agent: GPTBot'), CLOSED].join('\n\n'),
    }),
  },
  UNREACHABLE: served('User-agent: *', FAILING.broken),
  TIMEOUT: served('User-agent: *', FAILING.stalled),
  WRONG_MIME: served('User-agent: *', FAILING.html),
  OVERSIZE: {
    failing: { '/robots.txt': `User-agent: *\n${'Disallow: /account/page\n'.repeat(25_000)}` },
    mended: ({ snippet }) => ({ '/robots.txt': snippet('User-agent: *') }),
  },
};

export const BOT_02: Proofs = {
  POLICY_INCONSISTENT: {
    failing: { '/robots.txt': 'User-agent: *\nAllow: /\nDisallow: /' },
    mended: ({ snippet }) => ({ '/robots.txt': snippet('User-agent: *') }),
  },
};

const HOME = { body: `<!doctype html><title>Home</title><p>${'Words that everyone should see. '.repeat(100)}</p>` };

/** A home page that a rule on names keeps from those that it refuses. */
function edge(refuses: (name: string) => boolean, answer: FixtureAnswer): FixtureRoute {
  return ({ headers }) => (refuses(headers['user-agent'] ?? '') ? answer : HOME);
}

/** Whether a server that follows an nginx block with a map of names acts on a name: the first match counts. */
function byMap(nginx: string): (name: string) => boolean {
  const rules = [...nginx.matchAll(/"~\*(.+)" (\S+);/g)].map(([, names = '', value]) => ({
    names: new RegExp(names, 'i'),
    isRefused: value !== '0' && value !== '""',
  }));
  return (name) => rules.find(({ names }) => names.test(name))?.isRefused ?? false;
}

const isPerplexity = (name: string): boolean => name.includes('PerplexityBot');

const firewall = (answer: FixtureAnswer): Proof => ({
  failing: { '/': edge(isPerplexity, answer) },
  mended: ({ snippet, nginx }) => {
    const refuses = byMap(nginx);
    if (!refuses('GPTBot/1.2') || TRIED_TOKENS.some(refuses)) throw new Error('the rule is not what it should be');
    return { 'by the rule': { '/': edge(refuses, answer) }, 'by saying so': { '/robots.txt': snippet('User-agent:') } };
  },
});

export const BOT_03: Proofs = { UA_REJECTED: firewall(FAILING.refused), TIMEOUT: firewall(FAILING.stalled) };

export const FWD_01: Proofs = {
  MISSING: {
    failing: {},
    mended: ({ snippet, nginx }) => {
      const [, field = '', value = ''] = /add_header (\S+) "(.+)" always;/.exec(nginx) ?? [];
      return {
        'Content-Signal': { '/robots.txt': snippet('User-agent: *\nContent-Signal') },
        'Content-Usage': { '/robots.txt': snippet('User-agent: *\nContent-Usage') },
        'a header': { '/': { ...home(''), headers: { [field]: value } } },
      };
    },
  },
  FORMAT: {
    failing: { '/robots.txt': 'User-agent: *\nContent-Signal: search=y\nAllow: /' },
    mended: ({ snippet }): Readonly<Record<string, Routes>> => ({
      'Content-Signal': { '/robots.txt': snippet('User-agent: *\nContent-Signal') },
      'Content-Usage': { '/robots.txt': snippet('User-agent: *\nContent-Usage') },
      TDMRep: { '/.well-known/tdmrep.json': snippet('[{') },
    }),
  },
};
