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
  scored: true,
  title: 'sameAs links',
  shortName: 'sameAs',
  answer: 'The sameAs links lead to pages that exist.',
  explanation:
    'With sameAs you tell an agent which Wikipedia article, register entry or profile is yours, so that it can be sure who you are. A link that leads nowhere weakens this proof. We follow up to five sameAs links of the identity node on the home page. LinkedIn, X, Instagram, Facebook and TikTok are left out, because what they answer to programs says nothing about the profile.',
  judgedBy: ['schema-org'],
  failures: {
    BROKEN_SAMEAS: {
      severity: 'BROKEN',
      headline: 'sameAs links lead nowhere',
      fix: `Open each sameAs link that the finding names in a private browser window. If it shows "not found", remove it. Otherwise write the full public address that it leads to.

Link 1 is the first in the list. "github.com/example" and "@example" are not full addresses: each must start with https:// and the name of a host.`,
    },
  },
  needs: ['structuredData', 'sameAs'],
  judge: ({ structuredData, sameAs }) => {
    const nothing = judgeWithoutNodes(structuredData);
    if (nothing) return nothing;
    const { checked, total, skippedCount } = sameAs;
    if (total === 0) return notApplicable(safeText`No identity on the home page has a sameAs link.`);
    if (checked.length === 0) {
      return notApplicable(
        safeText`All sameAs links lead to social networks, whose answers to programs say nothing about a profile.`,
      );
    }
    const areAllRefused = checked.every(({ state }) => state === 'refused');
    if (areAllRefused && checked.length + skippedCount === total) {
      return notApplicable(
        safeText`All sameAs links lead to sites that refuse programs at any address, which says nothing about a profile.`,
      );
    }
    const broken = checked.filter(({ state }) => state in BROKEN);
    const counts = sentences(
      safeText`Checked: ${checked.length} of ${count(total, 'sameAs link', 'sameAs links')}.`,
      skippedCount > 0 ? safeText`Left out: ${skippedCount} on social networks that refuse programs.` : null,
    );
    if (broken.length > 0) return fail('BROKEN_SAMEAS', describeBroken(broken), counts);
    if (areAllRefused) {
      return undetermined(
        safeText`The ${checked.length} sameAs links that were tried lead to sites that refuse programs at any address.`,
        counts,
      );
    }
    const answered = checked.filter(({ state }) => state === 'alive').length;
    if (answered === 0)
      return undetermined(safeText`No sameAs link gives a clear answer (refused, failing or too slow).`, counts);
    return pass(safeText`${count(answered, 'sameAs link answers', 'sameAs links answer')}.`, counts);
  },
});

const BROKEN: Partial<Record<SameAsLink['state'], SafeText>> = {
  dead: term('is dead (404, 410, or its host does not exist)'),
  malformed: term('is not an absolute http(s) URL'),
  private: term('leads into a private network, where no visitor can follow it'),
};

function describeBroken(broken: readonly SameAsLink[]): SafeText {
  const places = broken.map(({ position, state }) => safeText`sameAs link ${position} ${BROKEN[state] ?? term('')}`);
  return safeText`${listSafeText(places)}.`;
}
