import type { Examples } from '../../verdict/example.js';
import { PAGE, readFix } from '../example-parts.js';
import { cLlms03Failures } from './failures.js';

const { snippet, redirected } = readFix(cLlms03Failures.DEAD_LINK);

export const EXAMPLES: Examples<typeof cLlms03Failures> = {
  DEAD_LINK: {
    failing: { '/llms.txt': '# Shop\n\n- [Pricing](/old-pricing)', '/pricing': PAGE },
    passing: { '/llms.txt': `# Shop\n\n${snippet('- [Pricing]')}` },
    otherwise: { 'a redirect': redirected() },
  },
};
