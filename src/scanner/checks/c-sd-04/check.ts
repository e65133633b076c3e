import { cSd04Failures } from './failures.js';
import { defineCheck } from '../../verdict/check.js';
import type { SameAsLink } from '../../artifacts/structured-data.js';
import { fail, notApplicable, pass, undetermined } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, listSafeText, sentences, term, safeText } from '../../artifacts/safe-text.js';
import { withoutNodes } from '../structured-data/positions.js';

/** schema.org/sameAs: "URL of a reference Web page that unambiguously indicates the item's identity". */
export const cSd04 = defineCheck({
  id: 'C-SD-04',
  revision: 2,
  pillar: 'C',
  scored: true,
  title: 'sameAs links lead somewhere',
  shortName: 'sameAs',
  answer: 'The sameAs links lead to pages that are there.',
  explanation:
    'With sameAs you tell an agent which Wikipedia article, register entry or profile is yours, so that it can be sure who you are. A link that leads nowhere weakens this proof. We follow up to five sameAs links of the identity node on the home page. LinkedIn, X, Instagram, Facebook and TikTok are left out, because what they answer to programs says nothing about the profile.',
  judgedBy: ['schema-org'],
  failures: cSd04Failures,
  examples: () => import('./examples.js'),
  needs: ['structuredData', 'sameAs'],
  judge: ({ structuredData, sameAs }) => {
    const nothing = withoutNodes(structuredData);
    if (nothing) return nothing;
    const { checked, total, walledCount } = sameAs;
    if (total === 0) return notApplicable(safeText`No identity on the home page has a sameAs link.`);
    if (checked.length === 0) {
      return notApplicable(
        safeText`All sameAs links lead to social networks, whose answers to programs say nothing about a profile.`,
      );
    }
    const broken = checked.filter(({ state }) => state in BROKEN);
    const counts = sentences(
      safeText`Checked: ${checked.length} of ${count(total, 'sameAs link', 'sameAs links')}.`,
      walledCount > 0 ? safeText`Left out: ${walledCount} on social networks that turn programs away.` : null,
    );
    if (broken.length > 0) return fail('BROKEN_SAMEAS', sentences(describeBroken(broken), counts));
    const answered = checked.filter(({ state }) => state === 'alive').length;
    if (answered === 0)
      return undetermined(
        sentences(safeText`No sameAs link gives a clear answer (refused, failing or too slow).`, counts),
      );
    return pass(sentences(safeText`${count(answered, 'sameAs link answers', 'sameAs links answer')}.`, counts));
  },
});

const BROKEN: Partial<Record<SameAsLink['state'], SafeText>> = {
  dead: term('is dead (404, 410, or its host does not exist)'),
  malformed: term('is not an absolute http(s) URL'),
  private: term('leads into a private network, where nobody else can follow it'),
};

function describeBroken(broken: readonly SameAsLink[]): SafeText {
  const places = broken.map(({ position, state }) => safeText`sameAs link ${position} ${BROKEN[state] ?? term('')}`);
  return safeText`${listSafeText(places)}.`;
}
