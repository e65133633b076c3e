import { home, type Proofs, type Routes } from './proof.js';

export const PROOFS: Proofs = {
  MISSING: {
    failing: {},
    mended: ({ snippet, nginx }) => {
      const [, field = '', value = ''] = /add_header (\S+) "(.+)" always;/.exec(nginx) ?? [];
      return {
        'Content-Signal': { '/robots.txt': snippet('User-agent: *\nContent-Signal') },
        'Content-Usage': { '/robots.txt': snippet('User-agent: *\nContent-Usage') },
        'a header': { '/': { ...home(''), headers: { [field]: value } } },
      };
    },
  },
  FORMAT: {
    failing: { '/robots.txt': 'User-agent: *\nContent-Signal: search=y\nAllow: /' },
    mended: ({ snippet }): Readonly<Record<string, Routes>> => ({
      'Content-Signal': { '/robots.txt': snippet('User-agent: *\nContent-Signal') },
      'Content-Usage': { '/robots.txt': snippet('User-agent: *\nContent-Usage') },
      TDMRep: { '/.well-known/tdmrep.json': snippet('[{') },
    }),
  },
};
