import { cLlms04Failures } from './failures.js';
import { defineCheck } from '../../verdict/check.js';
import { fail, pass } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, safeText } from '../../artifacts/safe-text.js';

/** Longest llms.txt, in decoded characters (Unicode code points), that agents read in one go. */
const CHARACTERS_MAX = 100_000;

/** Above this length some agents truncate; noted in `detail`. */
const CHARACTERS_NOTED = 50_000;

/**
 * Can an agent read llms.txt in one go? Counts characters, not bytes, so that scripts with several bytes per character are not
 * penalised. A file that exceeds our limit of 1 MiB always fails: even at 4 bytes each it has 262,144 characters. Source:
 * the Agent-Friendly Documentation Spec (length).
 */
export const cLlms04 = defineCheck({
  id: 'C-LLMS-04',
  revision: 2,
  pillar: 'A',
  scored: true,
  title: 'llms.txt fits one agent read',
  shortName: 'Length',
  answer: 'llms.txt is short enough to be read in one go.',
  explanation:
    'Agents read a file up to a limit and drop the rest, often without saying so: of a very long llms.txt they see only the beginning. We count characters, not bytes, so that no script is at a disadvantage. The limit is 100,000 characters; from 50,000 on, some agents cut the file off.',
  judgedBy: ['agent-friendly-docs'],
  failures: cLlms04Failures,
  examples: () => import('./examples.js'),
  needs: ['llmsDocument'],
  judge({ llmsDocument: { characterCount, isOverLimit } }) {
    if (isOverLimit) {
      return fail(
        'OVERSIZE',
        safeText`The file has more than ${characters(characterCount)}; the limit is ${characters(CHARACTERS_MAX)}.`,
      );
    }
    if (characterCount > CHARACTERS_MAX) {
      return fail(
        'OVERSIZE',
        safeText`The file has ${characters(characterCount)}; the limit is ${characters(CHARACTERS_MAX)}.`,
      );
    }
    if (characterCount > CHARACTERS_NOTED) {
      return pass(
        safeText`The file has ${characters(characterCount)}. Some agents cut it off after ${characters(CHARACTERS_NOTED)}.`,
      );
    }
    return pass(safeText`The file has ${characters(characterCount)}.`);
  },
});

function characters(n: number): SafeText {
  return count(n, 'character', 'characters');
}
