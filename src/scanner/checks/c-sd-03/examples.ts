import type { Examples } from '../../verdict/example.js';
import { home, inScript, readFix } from '../example-parts.js';
import { cSd03Failures } from './failures.js';

export const EXAMPLES: Examples<typeof cSd03Failures> = {
  ENTITY_INCOMPLETE: {
    failing: { '/': home(inScript('"url": "/"', 'Organization')) },
    passing: { '/': home(readFix(cSd03Failures.ENTITY_INCOMPLETE).snippet('<script')) },
  },
};
