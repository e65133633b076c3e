import { defineCheck } from '../domain/check.js';
import type { StructuredData, StructuredPage } from '../domain/evidence/structured-data.js';
import { schemaOrg } from '../domain/schema-org.js';
import type { Verdict } from '../domain/verdict.js';
import { fail, notApplicable, pass, undetermined } from '../domain/verdict.js';
import type { Words } from '../domain/words.js';
import { joinWords, sentences, term, words } from '../domain/words.js';
import { PageEntities } from '../parse/structured-data/entities.js';
import { findIdentities } from '../parse/structured-data/identity.js';
import { describeNode, withoutNodes } from './structured-data/positions.js';
import { describeGroup, findGaps } from './structured-data/required.js';

/** Incomplete entities that `detail` describes in full; the others are counted. */
const DESCRIBED_MAX = 4;

/**
 * Only what Google's structured data pages call required is asked of a page's main nodes; what they recommend is not.
 * Where a block of the home page is broken or was not read, the identity node may stand in it: its absence is then not
 * proven, and the broken block is C-SD-01's defect, not ours.
 */
export const cSd03 = defineCheck({
  id: 'C-SD-03',
  pillar: 'C',
  scored: true,
  title: 'The entities are complete',
  explanation:
    'Before an agent quotes or recommends you, it needs to know who you are. One complete identity node on the home page ' +
    '(an organization, a local business, a person or the web site itself) answers that. Products, events, jobs, recipes, ' +
    'videos, breadcrumbs and FAQs are useful to it only with the properties that Google requires of them; without, they ' +
    'are left out of search results and answers.',
  fix: `Put an identity node on the home page. One of these is enough: an Organization with name, url and a logo, description or sameAs; a LocalBusiness with name and address; a Person with name; a WebSite with name and url. For example:

{
  "@context": "https://schema.org",
  "@type": "Organization",
  "@id": "https://example.com/#organization",
  "name": "Example Ltd",
  "url": "https://example.com/",
  "logo": "https://example.com/logo.png"
}

Then add the properties that the finding names to the nodes of the other pages. Google lists them by type at https://developers.google.com/search/docs/appearance/structured-data/search-gallery.`,
  errorTypes: ['ENTITY_INCOMPLETE'],
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const nothing = withoutNodes(structuredData);
    if (nothing) return nothing;
    const identity = judgeIdentity(structuredData);
    const gaps = structuredData.pages.flatMap(describeGaps);
    if (gaps.length === 0 && identity.result !== 'FAIL') return identity;
    const rest = gaps.length - DESCRIBED_MAX;
    return fail(
      'ENTITY_INCOMPLETE',
      sentences(
        identity.result === 'FAIL' ? identity.detail : null,
        ...gaps.slice(0, DESCRIBED_MAX),
        rest > 0 ? words`And ${rest} more incomplete.` : null,
      ),
    );
  },
});

/** Whether the home page says completely who stands behind the site. */
function judgeIdentity({ pages: [home] }: StructuredData): Verdict<'ENTITY_INCOMPLETE'> {
  const identities = findIdentities(new PageEntities(home), schemaOrg());
  const complete = identities.find(({ missing }) => missing.length === 0);
  const [best] = complete ? [complete] : identities;
  if (best) {
    const place = describeNode(home, best.entity.node);
    const type = term(best.requirement.type);
    if (complete) return pass(words`The identity node is complete: ${type} at ${place}.`);
    const missing = joinWords(best.missing.map(describeGroup), ', ');
    return fail(
      'ENTITY_INCOMPLETE',
      words`No identity node of the home page is complete: ${type} at ${place} lacks ${missing}.`,
    );
  }
  if (home.blocks.some(({ kind }) => kind === 'broken')) {
    return notApplicable(
      words`The home page has no identity node that could be read, but a JSON-LD block of it is broken (C-SD-01).`,
    );
  }
  if (home.blocks.some(({ kind }) => kind === 'unread')) {
    return undetermined(
      words`The home page has no identity node in what was read, but a JSON-LD block of it is past our limits.`,
    );
  }
  return fail(
    'ENTITY_INCOMPLETE',
    words`The home page has no identity node: no Organization, LocalBusiness, Person or WebSite, neither top level nor under publisher, about or mainEntity.`,
  );
}

function describeGaps(page: StructuredPage): Words[] {
  return findGaps(new PageEntities(page), schemaOrg()).map(
    ({ node, type, missing }) => words`${type} at ${describeNode(page, node)} lacks ${missing}.`,
  );
}
