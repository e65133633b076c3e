import { cSd03Failures } from './failures.js';
import { defineCheck } from '../../verdict/check.js';
import type { StructuredPage } from '../../artifacts/structured-data.js';
import type { Verdict } from '../../verdict/verdict.js';
import { fail, notApplicable, pass, undetermined } from '../../verdict/verdict.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { listSafeText, sentences, term, safeText } from '../../artifacts/safe-text.js';
import { isSameSite } from '../../artifacts/site-address.js';
import { PageEntities, textsOf } from '../../parsers/structured-data/entities.js';
import type { IdentityEntity } from '../../parsers/structured-data/identity.js';
import {
  areAllIdentitiesSeen,
  findIdentities,
  hasMisspeltIdentity,
  isComplete,
  mayHoldIdentity,
} from '../../parsers/structured-data/identity.js';
import { UNREAD_FORMS, describeBlock, describePlace, withoutNodes } from '../structured-data/positions.js';
import { describeGroup, findGaps, findOpenNodes, findUnansweredPages } from './required.js';

/** How many incomplete entities `detail` describes in full; it counts the others. */
const DESCRIBED_MAX = 3;

/**
 * Checks a page's main nodes only for what Google's structured data pages require, not for what they recommend. If a block of the
 * home page is broken or was not read, it may contain a complete identity node: its absence is then not proven, and the broken
 * block is C-SD-01's defect. Likewise, a misspelt type or property is C-SD-02's defect. A value in a form of JSON-LD that is not read
 * (an index map, say) leaves open only what it could hold: its property, and identity nodes that the property leads to.
 */
export const cSd03 = defineCheck({
  id: 'C-SD-03',
  revision: 2,
  pillar: 'C',
  scored: true,
  title: 'The entities are complete',
  shortName: 'Entities',
  answer: 'The JSON-LD says who is behind the site.',
  explanation:
    'Before an agent quotes or recommends you, it needs to know who you are. One complete identity node on the home page (an organization, a local business, a person or the web site itself) tells it. Products, events, jobs, recipes, videos and breadcrumbs need the properties that Google requires of them; without these, they are left out of search results and answers. We read the home page and up to three other pages of the site, or up to five that its owner chose.',
  judgedBy: ['schema-org', 'google-structured-data'],
  failures: cSd03Failures,
  examples: () => import('./examples.js'),
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const nothing = withoutNodes(structuredData);
    if (nothing) return nothing;
    const identity = judgeIdentity(structuredData.pages[0]);
    const gaps = structuredData.pages.flatMap(describeGaps);
    if (gaps.length === 0 && identity.result === 'PASS') {
      const open = structuredData.pages.flatMap(listOpenNodes);
      if (open.length > 0)
        return undetermined(describeUnread(safeText`Something may be lacking (${listSafeText(open)})`));
      return pass(sentences(identity.detail, ...structuredData.pages.map(describeUnanswered)));
    }
    if (gaps.length === 0) return identity;
    const rest = gaps.length - DESCRIBED_MAX;
    return fail(
      'ENTITY_INCOMPLETE',
      sentences(
        identity.result === 'FAIL' ? identity.detail : null,
        ...gaps.slice(0, DESCRIBED_MAX),
        rest > 0 ? safeText`And ${rest} more.` : null,
      ),
    );
  },
  // Which profiles an identity node will name that is not there, or not complete.
  unforeseen: ({ structuredData: { pages } }) => (judgeIdentity(pages[0]).result === 'PASS' ? [] : ['sameAs']),
});

/** Whether the home page fully describes who is behind the site. */
function judgeIdentity(home: StructuredPage): Verdict<'ENTITY_INCOMPLETE'> {
  const entities = PageEntities.of(home);
  const identities = findIdentities(entities);
  const complete = identities.filter(isComplete);
  const best = complete.find(({ requirement }) => requirement.type !== 'WebSite') ?? complete[0];
  if (best) {
    return pass(
      sentences(
        safeText`${describePlace(home, best.entity.node)}: the ${term(best.requirement.type)} that says who is behind the site is complete.`,
        describeDoubt(home, best),
      ),
    );
  }
  if (home.blocks.some(({ kind }) => kind === 'broken')) {
    return notApplicable(
      safeText`The home page does not say completely who is behind it, but one of its JSON-LD blocks is broken (see C-SD-01).`,
    );
  }
  if (!entities.isPageWhole || !areAllIdentitiesSeen(entities)) {
    return undetermined(
      safeText`What could be read of the home page does not say completely who is behind it, but it is larger, or has larger JSON-LD, than this scanner reads.`,
    );
  }
  if (identities.some(({ isOpen }) => isOpen) || mayHoldIdentity(entities)) {
    return undetermined(
      describeUnread(safeText`What could be read of the home page does not say completely who is behind it`),
    );
  }
  const [first] = identities;
  if (first) {
    const missing = listSafeText(first.missing.map(describeGroup));
    return fail(
      'ENTITY_INCOMPLETE',
      safeText`${describePlace(home, first.entity.node)}: ${term(first.requirement.type)} lacks ${missing}. No identity on the page is complete.`,
    );
  }
  if (hasMisspeltIdentity(entities)) {
    return notApplicable(
      safeText`The home page says who is behind it with a type that is not in schema.org (see C-SD-02).`,
    );
  }
  return fail(
    'ENTITY_INCOMPLETE',
    safeText`The home page does not say who is behind it: no Organization, LocalBusiness, Person or WebSite at the top level, or named from there by a property such as publisher or provider.`,
  );
}

function describeUnread(finding: SafeText): SafeText {
  return safeText`${finding}, but this scanner does not read all forms of JSON-LD (${UNREAD_FORMS}).`;
}

function listOpenNodes(page: StructuredPage): SafeText[] {
  return findOpenNodes(PageEntities.of(page)).map(({ block, offset }) => describeBlock(page, block, offset));
}

/** What a reader may still ask who is behind the site. */
function describeDoubt(home: StructuredPage, { entity, requirement }: IdentityEntity): SafeText | null {
  if (requirement.type === 'WebSite') {
    return safeText`It names no organization or person: add one as its publisher.`;
  }
  const urls = textsOf(entity, 'url').flatMap((url) => URL.parse(url, home.page.url) ?? []);
  if (urls.length === 0 || urls.some((url) => isSameSite(url, home.page.url))) return null;
  return safeText`Its url lies on another domain: right for a parent company, else give this site's.`;
}

function describeUnanswered(page: StructuredPage): SafeText | null {
  const nodes = findUnansweredPages(PageEntities.of(page));
  if (nodes.length === 0) return null;
  return safeText`Questions without an answer, in a FAQPage: ${listSafeText(nodes.map(({ block, offset }) => describeBlock(page, block, offset)))}.`;
}

function describeGaps(page: StructuredPage): SafeText[] {
  return findGaps(PageEntities.of(page)).map(
    ({ node, type, missing }) => safeText`${describePlace(page, node)}: ${type} lacks ${missing}.`,
  );
}
