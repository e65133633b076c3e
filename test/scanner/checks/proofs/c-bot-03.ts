import { TRIED_TOKENS } from '../../../../src/scanner/agents/tokens.js';
import type { FixtureAnswer, FixtureRoute } from '../../../support/fixture-site.js';
import { FAILING, type Proof, type Proofs } from './proof.js';

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

export const PROOFS: Proofs = { UA_REJECTED: firewall(FAILING.refused), TIMEOUT: firewall(FAILING.stalled) };
