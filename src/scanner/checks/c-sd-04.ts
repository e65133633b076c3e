import { count, listSafeText, safeText, sentences, term, type SafeText } from '../artifacts/safe-text.js';
import type { SameAsLink } from '../artifacts/structured-data.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass, undetermined } from '../verdict/verdict.js';
import { judgeWithoutNodes } from './json-ld-places.js';

/** schema.org/sameAs: "URL of a reference Web page that unambiguously indicates the item's identity". */
export const cSd04 = defineCheck({
  id: 'C-SD-04',
  revision: 3,
  pillar: 'C',
  title: 'sameAs links',
  shortName: 'sameAs',
  answer: 'The sameAs links lead to pages that exist.',
  explanation:
    'With sameAs you tell an agent which Wikipedia article, register entry or profile is yours, so that it can be sure who you are. A dead link weakens this proof. We follow up to five sameAs links of the identity node on the home page. We skip LinkedIn, X, Instagram, Facebook and TikTok, because they block programs, so their responses say nothing about a profile.',
  judgedBy: ['schema-org'],
  failures: {
    BROKEN_SAMEAS: {
      severity: 'BROKEN',
      headline: 'sameAs links are broken',
      fix: `Open each sameAs link named in the finding in a private browser window. If it shows "not found", remove it. Otherwise replace it with the full public address that it leads to.

Link 1 is the first in the list. A full address starts with https:// and a host name: "github.com/example" and "@example" are not enough.`,
    },
  },
  needs: ['structuredData', 'sameAs'],
  judge: ({ structuredData, sameAs }) => {
    const withoutNodes = judgeWithoutNodes(structuredData);
    if (withoutNodes) return withoutNodes;
    const { checked, total, skippedCount } = sameAs;
    if (total === 0) return notApplicable(safeText`No identity on the home page has a sameAs link.`);
    if (checked.length === 0) {
      return notApplicable(
        safeText`All sameAs links lead to social networks that block programs, so we cannot check them.`,
      );
    }
    const areAllRefused = checked.every(({ state }) => state === 'refused');
    if (areAllRefused && checked.length + skippedCount === total) {
      return notApplicable(
        safeText`All sameAs links lead to sites that block programs on every page, so we cannot check them.`,
      );
    }
    const broken = checked.filter(({ state }) => state in BROKEN);
    const counts = sentences(
      safeText`Checked: ${checked.length} of ${count(total, 'sameAs link', 'sameAs links')}.`,
      skippedCount > 0 ? safeText`Skipped: ${skippedCount} on social networks that block programs.` : null,
    );
    if (broken.length > 0) return fail('BROKEN_SAMEAS', describeBroken(broken), counts);
    if (areAllRefused) {
      return undetermined(
        safeText`The ${checked.length} sameAs links that we tried lead to sites that block programs on every page.`,
        counts,
      );
    }
    const answered = checked.filter(({ state }) => state === 'alive').length;
    if (answered === 0)
      return undetermined(safeText`No sameAs link gave a clear result (refused, failed or too slow).`, counts);
    return pass(safeText`${count(answered, 'sameAs link works', 'sameAs links work')}.`, counts);
  },
});

const BROKEN: Partial<Record<SameAsLink['state'], SafeText>> = {
  dead: term('is dead (404, 410, or its host does not exist)'),
  malformed: term('is not an absolute http(s) URL'),
  private: term('leads to a private network, which visitors cannot reach'),
};

function describeBroken(broken: readonly SameAsLink[]): SafeText {
  const places = broken.map(({ position, state }) => safeText`sameAs link ${position} ${BROKEN[state] ?? term('')}`);
  return safeText`${listSafeText(places)}.`;
}
