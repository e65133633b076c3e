import { home, type Proofs } from './proof.js';

export const PROOFS: Proofs = {
  FORMAT: {
    failing: { '/': home('<script type="application/ld+json">{"@type": "Person",}</script>') },
    mended: ({ snippet }) => ({ '/': home(snippet('<script')) }),
  },
  NO_JSONLD: { failing: {}, mended: ({ snippet }) => ({ '/': home(snippet('<script')) }) },
};
