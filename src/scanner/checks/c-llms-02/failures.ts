import type { Failures } from '../../verdict/failure.js';
import { LLMS_TXT } from '../fixes/snippets.js';

export const cLlms02Failures = {
  FORMAT: {
    severity: 'BROKEN',
    headline: 'llms.txt is not Markdown that begins with a title',
    fix: `Save llms.txt as plain text in UTF-8, and begin it with the name of your site as a heading: a line with #, a space and the name.

${LLMS_TXT}

A heading needs its #, or a line of = below it; bold text is none.`,
    onFixed: { unknown: ['llmsLinks'] },
  },
  STRUCTURE: {
    severity: 'POLISH',
    headline: 'llms.txt has its parts in the wrong form or order',
    fix: `Put the heading with one # before all others, and write each link as [name](address) with an address that works. The finding names the lines.

${LLMS_TXT}

Sections have ##. An agent chooses among links by their names, so give bare addresses one.`,
    // Bare addresses and broken links become links.
    onFixed: { unknown: ['llmsLinks'] },
  },
} as const satisfies Failures;
