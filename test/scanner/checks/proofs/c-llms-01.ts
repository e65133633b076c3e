import { FAILING, home, PAGE, type Proofs, type Routes } from './proof.js';
import { unserved } from './parts.js';

const LLMS_PAGES: Routes = { '/delivery': PAGE, '/returns': PAGE };

export const PROOFS: Proofs = {
  MISSING: {
    failing: LLMS_PAGES,
    mended: ({ served, snippet }) => ({
      'at the root': served(snippet('# Example Shop')),
      announced: {
        '/': home(snippet('<link').replace('/llms.txt', '/docs/llms.txt')),
        '/docs/llms.txt': { type: 'text/plain', body: snippet('# Example Shop') },
      },
    }),
  },
  WRONG_MIME: unserved('/llms.txt', FAILING.html, '# Example Shop'),
  BLOCKED: unserved('/llms.txt', FAILING.refused, '# Example Shop'),
  UNREACHABLE: unserved('/llms.txt', FAILING.broken, '# Example Shop'),
  TIMEOUT: unserved('/llms.txt', FAILING.stalled, '# Example Shop'),
};
