import type { Examples } from '../../verdict/example.js';
import { BROKEN, PAGE, readFix, STALLED, unserved } from '../example-parts.js';
import { OPEN_ROBOTS } from '../fixes/snippets.js';
import { cBot01Failures } from './failures.js';

const CLOSED = 'User-agent: *\nDisallow: /';
const opened = readFix(cBot01Failures.BLOCKED);

export const EXAMPLES: Examples<typeof cBot01Failures> = {
  BLOCKED: {
    failing: { '/robots.txt': CLOSED },
    failingLines: ['Disallow: /'],
    passing: {
      '/robots.txt': [opened.snippet('User-agent: OAI-SearchBot'), opened.snippet('User-agent: GPTBot'), CLOSED].join(
        '\n\n',
      ),
    },
  },
  UNREACHABLE: unserved('/robots.txt', BROKEN, cBot01Failures.UNREACHABLE, OPEN_ROBOTS),
  TIMEOUT: unserved('/robots.txt', STALLED, cBot01Failures.TIMEOUT, OPEN_ROBOTS),
  WRONG_MIME: unserved('/robots.txt', PAGE, cBot01Failures.WRONG_MIME, OPEN_ROBOTS),
  OVERSIZE: {
    failing: {
      '/robots.txt': { body: { before: 'User-agent: *\n', line: 'Disallow: /account/page', times: 25_000, after: '' } },
    },
    passing: { '/robots.txt': readFix(cBot01Failures.OVERSIZE).snippet('User-agent: *') },
  },
};
