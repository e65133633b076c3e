import type { Failures } from '../../verdict/failure.js';
import { labelMarkdown, negotiateMarkdown } from '../fixes/servers/negotiate.js';

export const cMd01Failures = {
  WRONG_MIME: {
    severity: 'BROKEN',
    headline: 'Markdown is sent under a wrong media type',
    fix: `Send the Markdown versions of your pages with "Content-Type: text/markdown; charset=utf-8", and send HTML only as text/html.

See what is sent, with the address of one of them:

curl -sI -H "Accept: text/markdown" https://www.example.com/about.md

${labelMarkdown()}`,
    onFixed: {},
  },
  NO_NEGOTIATION: {
    severity: 'MISSING',
    headline: 'Pages are not offered as Markdown',
    fix: `Publish a Markdown version next to each page and link to it in the page's <head>; or answer requests for text/markdown with Markdown and all others with HTML, both with "Vary: Accept".

The link:

<link rel="alternate" type="text/markdown" href="/about.md">

Each page needs Markdown of its own that says what the page says. It is a convenience: agents read HTML, too. To answer by header, put .md files next to the .html files. Try it:

curl -i -H "Accept: text/markdown" https://www.example.com/

${negotiateMarkdown()}`,
    onFixed: {},
  },
} as const satisfies Failures;
