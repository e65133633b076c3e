import type { ExampleAnswers, Examples } from '../../verdict/example.js';
import type { Failure } from '../../verdict/failure.js';
import { ALIVE, home, json, readFix, REFUSED } from '../example-parts.js';
import { cWk02Failures } from './failures.js';

const CARD = '/.well-known/agent-card.json';

const card = (failure: Failure): ExampleAnswers => ({ [CARD]: json(readFix(failure).snippet('{"name"')) });

export const EXAMPLES: Examples<typeof cWk02Failures> = {
  INVALID_MANIFEST: {
    failing: { '/a2a': ALIVE, [CARD]: json('{"name": "Shop agent"}') },
    passing: card(cWk02Failures.INVALID_MANIFEST),
  },
  WK_UNREACHABLE: {
    failing: { '/a2a': ALIVE, '/': home(`<a href="${CARD}">A2A</a>`), [CARD]: REFUSED },
    passing: readFix(cWk02Failures.WK_UNREACHABLE).served(readFix(cWk02Failures.MISSING).snippet('{"name"')),
  },
  MISSING: {
    failing: { '/a2a': ALIVE, '/': home('<link rel="agent-card" href="/agent.json">') },
    passing: card(cWk02Failures.MISSING),
  },
};
