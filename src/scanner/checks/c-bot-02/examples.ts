import type { Examples } from '../../verdict/example.js';
import { readFix } from '../example-parts.js';
import { cBot02Failures } from './failures.js';

export const EXAMPLES: Examples<typeof cBot02Failures> = {
  POLICY_INCONSISTENT: {
    failing: { '/robots.txt': 'User-agent: *\nAllow: /\nDisallow: /' },
    passing: { '/robots.txt': readFix(cBot02Failures.POLICY_INCONSISTENT).snippet('User-agent: *') },
  },
};
