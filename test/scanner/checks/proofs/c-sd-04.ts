import { home, PAGE, type Proofs } from './proof.js';
import { inScript } from './parts.js';

export const PROOFS: Proofs = {
  BROKEN_SAMEAS: {
    failing: {
      '/': home(inScript('"sameAs": ["github.com/example"]', 'Organization')),
      'https://en.wikipedia.org/wiki/Example': PAGE,
      'https://github.com/example': PAGE,
    },
    mended: ({ snippet }) => ({ '/': home(inScript(snippet('"sameAs"'), 'Organization')) }),
  },
};
