import type { FixtureAnswer } from '../../../support/fixture-site.js';
import { FAILING, type Proof, type Proofs } from './proof.js';

const CLOSED = 'User-agent: *\nDisallow: /';

const served = (start: string, answer: FixtureAnswer): Proof => ({
  failing: { '/robots.txt': answer },
  mended: (fix) => fix.served(fix.snippet(start)),
});

export const PROOFS: Proofs = {
  BLOCKED: {
    failing: { '/robots.txt': CLOSED },
    mended: ({ snippet }) => ({
      '/robots.txt': [snippet('User-agent: OAI-SearchBot'), snippet('User-agent: GPTBot'), CLOSED].join('\n\n'),
    }),
  },
  UNREACHABLE: served('User-agent: *', FAILING.broken),
  TIMEOUT: served('User-agent: *', FAILING.stalled),
  WRONG_MIME: served('User-agent: *', FAILING.html),
  OVERSIZE: {
    failing: { '/robots.txt': `User-agent: *\n${'Disallow: /account/page\n'.repeat(25_000)}` },
    mended: ({ snippet }) => ({ '/robots.txt': snippet('User-agent: *') }),
  },
};
