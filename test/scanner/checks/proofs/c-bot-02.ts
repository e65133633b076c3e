import { type Proofs } from './proof.js';

export const PROOFS: Proofs = {
  POLICY_INCONSISTENT: {
    failing: { '/robots.txt': 'User-agent: *\nAllow: /\nDisallow: /' },
    mended: ({ snippet }) => ({ '/robots.txt': snippet('User-agent: *') }),
  },
};
