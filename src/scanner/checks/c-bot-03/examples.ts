import type { Example, ExampleAnswer, Examples } from '../../verdict/example.js';
import type { Failure } from '../../verdict/failure.js';
import { readFix, REFUSED, STALLED } from '../example-parts.js';
import { cBot03Failures } from './failures.js';

const HOME: ExampleAnswer = {
  body: {
    before: '<!doctype html><title>Home</title><p>',
    line: 'Words that everyone should see.',
    times: 100,
    after: '',
  },
};

/** A home page that a rule keeps from those with these names. */
const kept = (names: readonly string[], answer: ExampleAnswer): ExampleAnswer => ({
  ...HOME,
  instead: { to: { names }, answer },
});

/** A rule on agents' names, until it is the one of the fix. */
function byName(answer: ExampleAnswer, failure: Failure): Example {
  const { nginx, snippet } = readFix(failure);
  const [, keptOut = ''] = /"~\*([^"]+)" (?:1|\$binary_remote_addr);/.exec(nginx) ?? [];
  return {
    failing: { '/': kept(['PerplexityBot'], answer) },
    passing: { '/': kept(keptOut.split('|'), answer) },
    otherwise: { 'saying so': { '/robots.txt': snippet('User-agent:') } },
  };
}

export const EXAMPLES: Examples<typeof cBot03Failures> = {
  UA_REJECTED: byName(REFUSED, cBot03Failures.UA_REJECTED),
  TIMEOUT: byName(STALLED, cBot03Failures.TIMEOUT),
};
