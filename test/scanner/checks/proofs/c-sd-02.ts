import { home, type Proofs } from './proof.js';
import { inScript } from './parts.js';

export const PROOFS: Proofs = {
  SCHEMA_MISMATCH: {
    failing: { '/': home(inScript('"datePublished": "31/31/2026"', 'Article')) },
    mended: ({ snippet }) => ({ '/': home(inScript(snippet('"datePublished"').split(',\n')[0] ?? '', 'Article')) }),
  },
};
