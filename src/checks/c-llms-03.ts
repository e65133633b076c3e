import { defineCheck } from '../domain/check.js';
import { fail, notApplicable, pass, undetermined } from '../domain/verdict.js';
import { count, listWords, sentences, words } from '../domain/words.js';

/**
 * Do the links of llms.txt to the site itself lead somewhere? All up to 20, else the first 5 and 15 spread evenly. Only what is
 * proven dead counts (404 or 410 twice, no such host, a proven soft 404); refusals, errors and timeouts are unknown.
 */
export const cLlms03 = defineCheck({
  id: 'C-LLMS-03',
  pillar: 'A',
  scored: true,
  title: 'llms.txt links work',
  explanation:
    'An agent that reads llms.txt follows its links next, and a dead one ends its visit or sends it guessing. We follow the links to your own domain (other subdomains included): all of them up to 20, otherwise the first five and fifteen spread over the rest. A link counts as dead only when it answers 404 or 410 twice, its host does not exist, or it shows the page that your site shows for any address that does not exist.',
  fix: `Open the lines named in the finding and correct or remove each address. If a page has moved, link to its new address, and let the old one redirect to it:

- [Pricing](https://www.example.com/pricing): plans and limits

Relative links are resolved against the address of llms.txt itself. If llms.txt is generated, generate it from the same list of pages as the sitemap, so that both stay right together.`,
  errorTypes: ['DEAD_LINK'],
  needs: ['llmsLinks'],
  judge({ llmsLinks: { firstPartyCount, checked } }) {
    if (firstPartyCount === 0) return notApplicable(words`llms.txt has no link to the site's own domain.`);
    const dead = checked.filter(({ state }) => state === 'dead');
    const unknown = checked.filter(({ state }) => state === 'unknown');
    const scope = words`Checked: ${checked.length} of ${count(firstPartyCount, 'link', 'links')} to the site's own domain.`;
    const unknownNote =
      unknown.length > 0 ? words`${unknown.length} gave no clear answer (refused, failing or too slow).` : null;
    if (dead.length > 0) {
      const lines = listWords(dead.map(({ line }) => words`line ${line}`));
      const charge = words`${count(dead.length, 'link is', 'links are')} dead: ${lines}.`;
      return fail('DEAD_LINK', sentences(charge, scope, unknownNote));
    }
    if (unknown.length * 2 > checked.length || checked.length === 0) {
      return undetermined(sentences(words`Too few links gave a clear answer.`, scope, unknownNote));
    }
    return pass(sentences(words`No link is dead.`, scope, unknownNote));
  },
});
