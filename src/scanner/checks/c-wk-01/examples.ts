import type { ExampleAnswers, Examples } from '../../verdict/example.js';
import type { Failure } from '../../verdict/failure.js';
import { ALIVE, home, json, readFix, REFUSED } from '../example-parts.js';
import { cWk01Failures } from './failures.js';

const CARD = '/.well-known/mcp/server-card.json';

function documents(failure: Failure): ExampleAnswers {
  const { snippet } = readFix(failure);
  return { [CARD]: json(snippet('{"$schema"')), '/.well-known/ard.json': json(snippet('{"entries"')) };
}

export const EXAMPLES: Examples<typeof cWk01Failures> = {
  INVALID_MANIFEST: {
    failing: { '/mcp': ALIVE, [CARD]: json('{"name": 1}') },
    passing: documents(cWk01Failures.INVALID_MANIFEST),
  },
  WK_UNREACHABLE: {
    failing: { '/mcp': ALIVE, '/': home(`<a href="${CARD}">MCP</a>`), [CARD]: REFUSED },
    passing: readFix(cWk01Failures.WK_UNREACHABLE).served(readFix(cWk01Failures.MISSING).snippet('{"$schema"')),
  },
  MISSING: {
    failing: { '/': home('<link rel="mcp" href="/mcp">'), '/mcp': json('{"jsonrpc": "2.0", "id": 1, "result": {}}') },
    passing: documents(cWk01Failures.MISSING),
  },
};
