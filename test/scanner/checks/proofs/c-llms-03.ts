import { PAGE, type Proofs } from './proof.js';
import { redirected } from './parts.js';

export const PROOFS: Proofs = {
  DEAD_LINK: {
    failing: { '/llms.txt': '# Shop\n\n- [Pricing](/old-pricing)', '/pricing': PAGE },
    mended: ({ snippet, nginx }) => ({
      'the link': { '/llms.txt': `# Shop\n\n${snippet('- [Pricing]')}` },
      'a redirect': redirected(nginx),
    }),
  },
};
