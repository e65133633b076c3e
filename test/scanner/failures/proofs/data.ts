import type { FixtureRoute } from '../../../support/fixture-site.js';
import { home, PAGE, type Proofs } from './proof.js';

const inScript = (members: string, type = 'Product'): string =>
  `<script type="application/ld+json">{"@context": "https://schema.org", "@type": "${type}", "name": "Lamp", ${members}}</script>`;

export const SD_01: Proofs = {
  FORMAT: {
    failing: { '/': home('<script type="application/ld+json">{"@type": "Person",}</script>') },
    mended: ({ snippet }) => ({ '/': home(snippet('<script')) }),
  },
  NO_JSONLD: { failing: {}, mended: ({ snippet }) => ({ '/': home(snippet('<script')) }) },
};

export const SD_02: Proofs = {
  SCHEMA_MISMATCH: {
    failing: { '/': home(inScript('"datePublished": "31/31/2026"', 'Article')) },
    mended: ({ snippet }) => ({ '/': home(inScript(snippet('"datePublished"').split(',\n')[0] ?? '', 'Article')) }),
  },
};

export const SD_03: Proofs = {
  ENTITY_INCOMPLETE: {
    failing: { '/': home(inScript('"url": "/"', 'Organization')) },
    mended: ({ snippet }) => ({ '/': home(snippet('<script')) }),
  },
};

export const SD_04: Proofs = {
  BROKEN_SAMEAS: {
    failing: {
      '/': home(inScript('"sameAs": ["github.com/example"]', 'Organization')),
      'https://en.wikipedia.org/wiki/Example': PAGE,
      'https://github.com/example': PAGE,
    },
    mended: ({ snippet }) => ({ '/': home(inScript(snippet('"sameAs"'), 'Organization')) }),
  },
};

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

export const MD_01: Proofs = {
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
