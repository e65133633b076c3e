import type { Examples } from '../../verdict/example.js';
import { home, inScript, readFix } from '../example-parts.js';
import { cSd02Failures } from './failures.js';

const [dated = ''] = readFix(cSd02Failures.SCHEMA_MISMATCH).snippet('"datePublished"').split(',\n');

export const EXAMPLES: Examples<typeof cSd02Failures> = {
  SCHEMA_MISMATCH: {
    failing: { '/': home(inScript('"datePublished": "31/31/2026"', 'Article')) },
    passing: { '/': home(inScript(dated, 'Article')) },
  },
};
