import type { Examples } from '../../verdict/example.js';
import { home, readFix } from '../example-parts.js';
import { cSd01Failures } from './failures.js';

export const EXAMPLES: Examples<typeof cSd01Failures> = {
  FORMAT: {
    failing: { '/': home('<script type="application/ld+json">{"@type": "Person",}</script>') },
    passing: { '/': home(readFix(cSd01Failures.FORMAT).snippet('<script')) },
  },
  NO_JSONLD: { failing: {}, passing: { '/': home(readFix(cSd01Failures.NO_JSONLD).snippet('<script')) } },
};
