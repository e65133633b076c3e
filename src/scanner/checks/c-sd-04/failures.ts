import type { Failures } from '../../verdict/failure.js';

export const cSd04Failures = {
  BROKEN_SAMEAS: {
    severity: 'BROKEN',
    headline: 'sameAs links lead nowhere',
    fix: `Open each sameAs link that the finding names in a private browser window: remove it if it shows "not found", else write the full public address it leads to.

"sameAs": [
  "https://en.wikipedia.org/wiki/Example",
  "https://github.com/example"
]

Link 1 is the first in the list. "github.com/example" and "@example" are not full addresses: each begins with https:// and the name of a host.`,
    onFixed: {},
  },
} as const satisfies Failures;
