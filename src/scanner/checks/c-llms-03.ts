import { count, listLines, safeText, term } from '../artifacts/safe-text.js';
import { defineCheck } from '../verdict/check.js';
import { defineNote } from '../verdict/note-rule.js';
import { fail, notApplicable, pass, undetermined } from '../verdict/verdict.js';
import { fenced, redirect } from './fixes.js';
import { summarizeLinks } from './followed-links.js';

/**
 * Do the links of llms.txt to the site itself work? Only proven dead links count (404 or 410 twice, no such host, a proven soft 404).
 * Refusals, errors and timeouts prove nothing.
 */
export const cLlms03 = defineCheck({
  id: 'C-LLMS-03',
  revision: 3,
  pillar: 'A',
  scored: true,
  title: 'llms.txt links',
  shortName: 'Links',
  answer: 'Every link from llms.txt to the site itself leads to a page.',
  explanation:
    'An agent that reads llms.txt follows its links next; a dead one ends its visit or sends it guessing. We check the links to your own domain (subdomains included): all of them up to 20, otherwise the first 5 and 15 spread over the rest. A link is dead only if it answers 404 or 410 twice, its host does not exist, or it shows the page that your site has for unknown addresses.',
  judgedBy: ['llms-txt'],
  failures: {
    DEAD_LINK: {
      severity: 'BROKEN',
      headline: 'llms.txt links to pages that do not exist',
      fix: `Open llms.txt at the lines that the finding names, and correct or remove each link. If a page has moved, also redirect its old address.

${fenced(`- [NAME OF PAGE](https://www.example.com/): WHAT THE PAGE IS ABOUT`)}

Relative links start at the address of llms.txt. If a program writes the file, let it use the same list of pages as the sitemap.

${redirect('/OLD-PAGE', '/NEW-PAGE')}`,
    },
  },
  notes: [
    defineNote({
      id: 'llms-private-links',
      standard: 'llms-txt',
      uses: ['llmsDocument'],
      observe: ({ llmsDocument }) => {
        const lines = llmsDocument?.links.filter(({ isPrivate }) => isPrivate) ?? [];
        if (lines.length === 0) return null;
        return safeText`Links of llms.txt lead to localhost or a private address, which no reader can reach (${listLines('llms.txt', lines)}): write such addresses as code.`;
      },
    }),
  ],
  needs: ['llmsLinks'],
  judge({ llmsLinks: { firstPartyCount, checked } }) {
    if (firstPartyCount === 0) return notApplicable(safeText`llms.txt has no link to the site's own domain.`);
    const { dead, isMostlyUnclear, describeUnclear } = summarizeLinks(checked);
    const scope = safeText`Checked: ${checked.length} of ${count(firstPartyCount, 'link', 'links')} to the site's own domain.`;
    const unclear = describeUnclear((links) => listLines('llms.txt', links));
    if (dead.length > 0) {
      const are = dead.length === 1 ? term('is') : term('are');
      const summary = safeText`${dead.length} of ${count(checked.length, 'link', 'links')} to the site itself ${are} dead: ${listLines('llms.txt', dead)}.`;
      const others =
        firstPartyCount > checked.length ? safeText`${firstPartyCount - checked.length} more were not checked.` : null;
      return fail('DEAD_LINK', summary, others, ...unclear);
    }
    if (isMostlyUnclear || checked.length === 0) {
      return undetermined(safeText`Too few links gave a clear answer.`, scope, ...unclear);
    }
    return pass(safeText`No link is dead.`, scope, ...unclear);
  },
});
