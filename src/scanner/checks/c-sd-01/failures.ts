import type { Failures } from '../../verdict/failure.js';
import { IDENTITY } from '../fixes/snippets.js';

export const cSd01Failures = {
  FORMAT: {
    severity: 'BROKEN',
    headline: 'JSON-LD on the pages is not valid JSON',
    fix: `Go to the block and line that the finding names, and correct the JSON; if a template writes it, let a JSON library write the whole block instead.

- A comma after the last entry, or none between two of them.
- A line break or a double quote inside a text: write \\n and \\".
- A comment, or a placeholder that the template did not fill in.

A block that is valid:

${IDENTITY}`,
    onFixed: { unknown: ['structuredData', 'sameAs'] },
  },
  NO_JSONLD: {
    severity: 'MISSING',
    headline: 'The pages have no JSON-LD',
    fix: `Put a block of JSON-LD with terms of schema.org into the <head> of the HTML that your server sends, with your own data in it.

${IDENTITY}

A tag manager adds it too late: most agents run no scripts. The SEO plugins of shop and content systems write such blocks from their settings.`,
    // Which profiles the owner names cannot be foreseen.
    onFixed: { asFixed: ['structuredData'], unknown: ['sameAs'] },
  },
} as const satisfies Failures;
