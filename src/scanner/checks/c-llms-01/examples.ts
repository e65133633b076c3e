import type { Examples } from '../../verdict/example.js';
import { BROKEN, home, PAGE, readFix, REFUSED, STALLED, unserved } from '../example-parts.js';
import { LLMS_TXT } from '../fixes/snippets.js';
import { cLlms01Failures } from './failures.js';

const published = readFix(cLlms01Failures.MISSING);

export const EXAMPLES: Examples<typeof cLlms01Failures> = {
  MISSING: {
    failing: { '/delivery': PAGE, '/returns': PAGE },
    passing: published.served(published.snippet('# Example Shop')),
    otherwise: {
      'a link to a file in a folder': {
        '/': home(published.snippet('<link').replace('/llms.txt', '/docs/llms.txt')),
        '/docs/llms.txt': { type: 'text/plain', body: published.snippet('# Example Shop') },
      },
    },
  },
  WRONG_MIME: unserved('/llms.txt', PAGE, cLlms01Failures.WRONG_MIME, LLMS_TXT),
  BLOCKED: unserved('/llms.txt', REFUSED, cLlms01Failures.BLOCKED, LLMS_TXT),
  UNREACHABLE: unserved('/llms.txt', BROKEN, cLlms01Failures.UNREACHABLE, LLMS_TXT),
  TIMEOUT: unserved('/llms.txt', STALLED, cLlms01Failures.TIMEOUT, LLMS_TXT),
};
