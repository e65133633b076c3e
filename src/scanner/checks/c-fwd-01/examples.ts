import type { Examples } from '../../verdict/example.js';
import { home, readFix } from '../example-parts.js';
import { cFwd01Failures } from './failures.js';

const declared = readFix(cFwd01Failures.MISSING);
const [, field = '', value = ''] = /add_header (\S+) "([^"]+)" always;/.exec(declared.nginx) ?? [];
const corrected = readFix(cFwd01Failures.FORMAT);

export const EXAMPLES: Examples<typeof cFwd01Failures> = {
  MISSING: {
    failing: {},
    passing: { '/robots.txt': declared.snippet('User-agent: *\nContent-Signal') },
    otherwise: {
      'Content-Usage': { '/robots.txt': declared.snippet('User-agent: *\nContent-Usage') },
      'a header': { '/': { ...home(''), headers: { [field]: value } } },
    },
  },
  FORMAT: {
    failing: { '/robots.txt': 'User-agent: *\nContent-Signal: search=y\nAllow: /' },
    passing: { '/robots.txt': corrected.snippet('User-agent: *\nContent-Signal') },
    otherwise: {
      'Content-Usage': { '/robots.txt': corrected.snippet('User-agent: *\nContent-Usage') },
      TDMRep: { '/.well-known/tdmrep.json': corrected.snippet('[{') },
    },
  },
};
