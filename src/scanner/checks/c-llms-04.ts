import { count, safeText, type SafeText } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { fail, pass } from '../verdict/verdict.js';
import { LLMS_TXT } from './fixes.js';

/** Longest llms.txt, in decoded characters (Unicode code points), that agents read in one go. */
const CHARACTERS_MAX = 100_000;

/** Above this length, some agents truncate the file. */
const CHARACTERS_SAFE = 50_000;

/**
 * Can an agent read llms.txt in one go? A file over our limit of 1 MiB always fails: even at 4 bytes each, it has more than 262,144 characters.
 * Source: the Agent-Friendly Documentation Spec (length).
 */
export const cLlms04 = defineCheck({
  id: 'C-LLMS-04',
  revision: 3,
  pillar: 'A',
  title: 'llms.txt length',
  shortName: 'Length',
  answer: 'An agent can read llms.txt in one go.',
  explanation:
    'Agents read a file up to a limit and drop the rest, often without saying so. They see only the beginning of a very long llms.txt. We count characters, not bytes, so that the limit is the same in every language. The limit is 100,000 characters. Some agents stop after 50,000.',
  judgedBy: ['agent-friendly-docs'],
  failures: {
    OVERSIZE: {
      severity: 'POLISH',
      headline: 'llms.txt is too long for an agent to read',
      fix: `Shorten llms.txt to less than 100,000 characters. Keep the title, a summary and the main links. Move full texts to the pages or to llms-full.txt.

${LLMS_TXT}

If the list of links itself is too long, split it by subject into several files, and link to those files from llms.txt.`,
    },
  },
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
    if (characterCount > CHARACTERS_SAFE) {
      return pass(
        safeText`The file has ${characters(characterCount)}. Some agents stop reading after ${characters(CHARACTERS_SAFE)}.`,
      );
    }
    return pass(safeText`The file has ${characters(characterCount)}.`);
  },
});

function characters(n: number): SafeText {
  return count(n, 'character', 'characters');
}
