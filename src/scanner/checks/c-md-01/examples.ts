import type { ExampleAnswer, Examples } from '../../verdict/example.js';
import { home, readFix } from '../example-parts.js';
import { cMd01Failures } from './failures.js';

const MARKDOWN =
  '# About\n\nWhat the shop sells, where it sends it, and whom to ask about an order that has not arrived.';

/** A page that sends Markdown of this type to clients that ask for it. */
const negotiating = (type: string): ExampleAnswer => ({
  ...home(''),
  headers: { Vary: 'Accept' },
  instead: { to: { mediaType: 'text/markdown' }, answer: { type, body: MARKDOWN, headers: { Vary: 'Accept' } } },
});

/** The type that an nginx block gives to .md files. */
const typeIn = (nginx: string): string => /(text\/markdown[^" ]*(?:; charset=[\w-]+)?)/.exec(nginx)?.[1] ?? '';

const linked = readFix(cMd01Failures.NO_NEGOTIATION);

export const EXAMPLES: Examples<typeof cMd01Failures> = {
  WRONG_MIME: {
    failing: { '/': negotiating('text/plain') },
    passing: { '/': negotiating(typeIn(readFix(cMd01Failures.WRONG_MIME).nginx)) },
  },
  NO_NEGOTIATION: {
    failing: {},
    passing: { '/': home(linked.snippet('<link')), '/about.md': { type: 'text/markdown', body: MARKDOWN } },
    otherwise: { 'by the header': { '/': negotiating(typeIn(linked.nginx)) } },
  },
};
