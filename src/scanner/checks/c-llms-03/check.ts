import { cLlms03Failures } from './failures.js';
import { cLlms03Notes } from './notes.js';
import { defineCheck } from '../../verdict/check.js';
import { fail, notApplicable, pass, undetermined } from '../../verdict/verdict.js';
import { count, listLines, sentences, term, safeText } from '../../artifacts/safe-text.js';

/**
 * Do the links of llms.txt to the site itself work? Checks all up to 20, else the first 5 and 15 at even distances. Only proven
 * dead links count (404 or 410 twice, no such host, a proven soft 404); refusals, errors and timeouts are unknown.
 */
export const cLlms03 = defineCheck({
  id: 'C-LLMS-03',
  revision: 2,
  pillar: 'A',
  scored: true,
  title: 'llms.txt links work',
  shortName: 'Links',
  answer: 'The links of llms.txt to the site itself lead to pages that are there.',
  explanation:
    'An agent that reads llms.txt follows its links next; a dead one ends its visit or sends it guessing. We check the links to your own domain (subdomains included): all of them up to 20, otherwise the first 5 and 15 spread over the rest. A link is dead only if it answers 404 or 410 twice, its host does not exist, or it shows the page that your site shows for any address that does not exist.',
  judgedBy: ['llms-txt'],
  failures: cLlms03Failures,
  examples: () => import('./examples.js'),
  notes: cLlms03Notes,
  needs: ['llmsLinks'],
  judge({ llmsLinks: { firstPartyCount, checked: followed } }) {
    if (firstPartyCount === 0) return notApplicable(safeText`llms.txt has no link to the site's own domain.`);
    const checked = followed.filter(({ state }) => state !== 'moved');
    if (followed.length > 0 && checked.length === 0) {
      return notApplicable(
        safeText`The links of llms.txt redirect to the domain that the site has moved to, so there is none to check here.`,
      );
    }
    const dead = checked.filter(({ state }) => state === 'dead');
    const unknown = checked.filter(({ state }) => state === 'unknown');
    const scope = safeText`Checked: ${checked.length} of ${count(firstPartyCount, 'link', 'links')} to the site's own domain.`;
    const unknownNote =
      unknown.length > 0 ? safeText`${unknown.length} gave no clear answer (refused, failing or too slow).` : null;
    if (dead.length > 0) {
      const lines = listLines(
        'llms.txt',
        dead.map(({ line }) => line),
      );
      const are = dead.length === 1 ? term('is') : term('are');
      const charge = safeText`${dead.length} of ${count(checked.length, 'link', 'links')} to the site itself ${are} dead: ${lines}.`;
      const others =
        firstPartyCount > checked.length ? safeText`${firstPartyCount - checked.length} more were not checked.` : null;
      return fail('DEAD_LINK', sentences(charge, others, unknownNote));
    }
    if (unknown.length * 2 > checked.length || checked.length === 0) {
      return undetermined(sentences(safeText`Too few links gave a clear answer.`, scope, unknownNote));
    }
    return pass(sentences(safeText`No link is dead.`, scope, unknownNote));
  },
});
