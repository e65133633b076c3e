import type { Failures } from '../findings/failure.js';
import { labelMarkdown, negotiateMarkdown } from './servers/negotiate.js';

export const cMd01Failures = {
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'Markdown is sent under a wrong media type',
    fix: `Send the Markdown versions of your pages with "Content-Type: text/markdown; charset=utf-8", and send HTML only as text/html.

See what is sent, with the address of one of them:

curl -sI -H "Accept: text/markdown" https://www.example.com/about.md

${labelMarkdown()}`,
  },
  NO_NEGOTIATION: {
    severity: 'MISSING',
    headline: 'Pages are not offered as Markdown',
    fix: `Answer requests for text/markdown with Markdown and all others with HTML, both with "Vary: Accept"; or publish Markdown beside each page and link to it.

The link stands in the <head> of the page:

<link rel="alternate" type="text/markdown" href="/about.md">

Each page needs Markdown of its own that says what the page says. To answer by header, put .md files beside the .html files. Try it:

curl -i -H "Accept: text/markdown" https://www.example.com/

${negotiateMarkdown()}`,
  },
} as const satisfies Failures;
