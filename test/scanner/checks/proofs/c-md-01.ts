import type { FixtureRoute } from '../../../support/fixture-site.js';
import { home, type Proofs } from './proof.js';

const MARKDOWN = `# About\n\n${'Words about the shop. '.repeat(10)}`;

/** A page that sends Markdown of this type to whom asks for it. */
const negotiating =
  (type: string): FixtureRoute =>
  ({ headers }) =>
    headers.accept?.startsWith('text/markdown')
      ? { type, body: MARKDOWN, headers: { vary: 'Accept' } }
      : { ...home(''), headers: { vary: 'Accept' } };

/** The type that an nginx block gives to .md files. */
const typeIn = (nginx: string): string => /(text\/markdown[^" ]*(?:; charset=[\w-]+)?)/.exec(nginx)?.[1] ?? '';

export const PROOFS: Proofs = {
  WRONG_MIME: {
    failing: { '/': negotiating('text/plain') },
    mended: ({ nginx }) => ({ '/': negotiating(typeIn(nginx)) }),
  },
  NO_NEGOTIATION: {
    failing: {},
    mended: ({ snippet, nginx }) => ({
      'by a link': { '/': home(snippet('<link')), '/about.md': { type: 'text/markdown', body: MARKDOWN } },
      'by the header': { '/': negotiating(typeIn(nginx)) },
    }),
  },
};
