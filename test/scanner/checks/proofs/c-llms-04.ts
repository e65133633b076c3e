import { type Proofs } from './proof.js';

export const PROOFS: Proofs = {
  OVERSIZE: {
    failing: { '/llms.txt': `# Shop\n\n${'x'.repeat(100_000)}` },
    mended: ({ snippet }) => ({ '/llms.txt': snippet('# Example Shop') }),
  },
};
