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
  title: 'llms.txt links',
  shortName: 'Links',
  answer: "All links from llms.txt to the site's own pages work.",
  explanation:
    'After reading llms.txt, an agent follows its links. A dead link ends the visit or makes the agent guess. We check the links to your own domain, including subdomains: all of them if there are at most 20, otherwise the first 5 and 15 spread over the rest. A link is dead only if it returns 404 or 410 twice, its host does not exist, or it shows the page that your site shows for unknown addresses.',
  judgedBy: ['llms-txt'],
  failures: {
    DEAD_LINK: {
      severity: 'BROKEN',
      headline: 'llms.txt links to pages that do not exist',
      fix: `Correct or remove the links on the lines named in the finding. If a page has moved, also redirect its old address.

${fenced(`- [NAME OF PAGE](https://www.example.com/): WHAT THE PAGE IS ABOUT`)}

Relative links are relative to the address of llms.txt. If a program generates the file, let it use the same list of pages as the sitemap.

${redirect('/OLD-PAGE', '/NEW-PAGE')}`,
    },
  },
  notes: [
    defineNote({
      id: 'llms-private-links',
      standard: 'llms-txt',
      uses: ['llmsDocument'],
      observe: ({ llmsDocument }) => {
        const links = llmsDocument?.links.filter(({ isPrivate }) => isPrivate) ?? [];
        if (links.length === 0) return null;
        return safeText`llms.txt links to localhost or private addresses, which agents cannot reach (${listLines('llms.txt', links)}). Write such addresses as code, not as links.`;
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
      return undetermined(safeText`Too few links gave a clear result.`, scope, ...unclear);
    }
    return pass(safeText`No link is dead.`, scope, ...unclear);
  },
});
