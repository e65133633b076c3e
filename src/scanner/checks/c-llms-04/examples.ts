import type { Examples } from '../../verdict/example.js';
import { readFix } from '../example-parts.js';
import { cLlms04Failures } from './failures.js';

export const EXAMPLES: Examples<typeof cLlms04Failures> = {
  OVERSIZE: {
    failing: { '/llms.txt': { body: { before: '# Shop\n\n', line: 'Words about lamps.', times: 6_000, after: '' } } },
    passing: { '/llms.txt': readFix(cLlms04Failures.OVERSIZE).snippet('# Example Shop') },
  },
};
