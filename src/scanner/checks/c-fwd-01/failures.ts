import type { Failures } from '../../verdict/failure.js';
import { setHeader } from '../fixes/servers/set-header.js';
import { CONTENT_SIGNAL, SIGNAL_ROBOTS, USAGE_ROBOTS } from '../fixes/snippets.js';

export const cFwd01Failures = {
  MISSING: {
    severity: 'POLISH',
    headline: 'No preference on the use of content by AI is declared',
    fix: `Say in one line of robots.txt what AI systems may do with your content, with a yes or a no for each use; or send that line as a header of your pages.

${SIGNAL_ROBOTS}

Or in the form of the IETF draft, where the values are y and n:

${USAGE_ROBOTS}

As a header, which needs no line in robots.txt:

${setHeader('Content-Signal', CONTENT_SIGNAL)}`,
    onFixed: {},
  },
  FORMAT: {
    severity: 'BROKEN',
    headline: 'The declared preference on the use of content by AI cannot be read',
    fix: `Write the preference as its readers expect it: Content-Signal with yes or no, Content-Usage in lower case with y or n, tdm-reservation with 0 or 1.

In robots.txt, Content-Signal (search, ai-input, ai-train):

${SIGNAL_ROBOTS}

Or Content-Usage (search, ai-use, train-ai):

${USAGE_ROBOTS}

In /.well-known/tdmrep.json:

[{"location": "/", "tdm-reservation": 1}]

An RSL license is an XML document with the root element "rsl" in the namespace "https://rslstandard.org/rsl".`,
    onFixed: {},
  },
} as const satisfies Failures;
