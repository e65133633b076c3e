import type { Failures } from '../../verdict/failure.js';

export const cSd02Failures = {
  SCHEMA_MISMATCH: {
    severity: 'BROKEN',
    headline: 'JSON-LD does not match schema.org, or what the page shows',
    fix: `Correct each place that the finding names: write types, properties, dates and prices as schema.org does, and say what the page itself shows.

- Types begin with a capital letter, properties with a small one. Look them up at https://schema.org.
- Dates are written 2026-01-31 or 2026-01-31T09:00:00+01:00 (03/04/2026 is in March to some and in April to others), prices as 19.90.
- url is the public address of the page.
- headline and name are what the page shows.
- Properties of your own need a prefix that "@context" defines.

An example:

"datePublished": "2026-01-31",
"offers": {"@type": "Offer", "price": "19.90", "priceCurrency": "EUR"}`,
    onFixed: {},
  },
} as const satisfies Failures;
