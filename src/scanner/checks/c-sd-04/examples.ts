import type { Examples } from '../../verdict/example.js';
import { home, inScript, PAGE, readFix } from '../example-parts.js';
import { cSd04Failures } from './failures.js';

export const EXAMPLES: Examples<typeof cSd04Failures> = {
  BROKEN_SAMEAS: {
    failing: {
      '/': home(inScript('"sameAs": ["github.com/example"]', 'Organization')),
      'https://en.wikipedia.org/wiki/Example': PAGE,
      'https://github.com/example': PAGE,
    },
    passing: { '/': home(inScript(readFix(cSd04Failures.BROKEN_SAMEAS).snippet('"sameAs"'), 'Organization')) },
  },
};
