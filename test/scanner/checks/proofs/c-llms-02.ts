import { type Proofs } from './proof.js';

export const PROOFS: Proofs = {
  FORMAT: {
    failing: { '/llms.txt': 'Example Shop\n\nLamps.' },
    mended: ({ snippet }) => ({ '/llms.txt': snippet('# Example Shop') }),
  },
  STRUCTURE: {
    failing: { '/llms.txt': '## Help\n\n# Example Shop' },
    mended: ({ snippet }) => ({ '/llms.txt': snippet('# Example Shop') }),
  },
};
