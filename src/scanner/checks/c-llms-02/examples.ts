import type { Examples } from '../../verdict/example.js';
import { readFix } from '../example-parts.js';
import { cLlms02Failures } from './failures.js';

export const EXAMPLES: Examples<typeof cLlms02Failures> = {
  FORMAT: {
    failing: { '/llms.txt': 'Example Shop\n\nLamps.' },
    passing: { '/llms.txt': readFix(cLlms02Failures.FORMAT).snippet('# Example Shop') },
  },
  STRUCTURE: {
    failing: { '/llms.txt': '## Help\n\n# Example Shop' },
    passing: { '/llms.txt': readFix(cLlms02Failures.STRUCTURE).snippet('# Example Shop') },
  },
};
