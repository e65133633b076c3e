import { home, type Proofs } from './proof.js';
import { inScript } from './parts.js';

export const PROOFS: Proofs = {
  ENTITY_INCOMPLETE: {
    failing: { '/': home(inScript('"url": "/"', 'Organization')) },
    mended: ({ snippet }) => ({ '/': home(snippet('<script')) }),
  },
};
