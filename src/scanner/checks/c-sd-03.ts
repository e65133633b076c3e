import { listSafeText, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import { isSameSite } from '../artifacts/site-address.js';
import type { StructuredPage } from '../artifacts/structured-data.js';
import { PageEntities, textsOf } from '../parsers/structured-data/entities.js';
import {
  findIdentities,
  hasMisspeltIdentity,
  isComplete,
  type IdentityEntity,
} from '../parsers/structured-data/identity.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass, undetermined, type Verdict } from '../verdict/verdict.js';
import { describeGroup, findGaps } from './c-sd-03-required.js';
import { IDENTITY } from './fixes.js';
import { describeOtherForms, describePlace, judgeWithoutNodes } from './json-ld-places.js';

/** Incomplete entities that `detail` describes; it counts the others. */
const DESCRIBED_MAX = 3;

/**
 * Does the JSON-LD say who runs the site, and are its main nodes complete? Only properties that Google's structured data pages require
 * count, not recommended ones. If a block of the home page is broken or was not read, it may contain a complete identity node, so its
 * absence is not proven. The broken block is C-SD-01's defect, and a misspelt type or property is C-SD-02's.
 */
export const cSd03 = defineCheck({
  id: 'C-SD-03',
  revision: 3,
  pillar: 'C',
  scored: true,
  title: 'JSON-LD entities',
  shortName: 'Entities',
  answer: 'The JSON-LD says who runs the site.',
  explanation:
    'Before an agent quotes or recommends you, it needs to know who you are. One complete identity node on the home page (an organization, a local business, a person or the web site itself) tells it. Products, events, jobs, recipes, videos and breadcrumbs need the properties that Google requires. Without them, they are left out of search results and answers. We read the home page and up to three other pages of the site, or up to five that its owner chose.',
  judgedBy: ['schema-org', 'google-structured-data'],
  opens: ['sameAs'],
  failures: {
    ENTITY_INCOMPLETE: {
      severity: 'MISSING',
      headline: 'JSON-LD does not fully say who runs the site, or what is on it',
      fix: `Add one complete node to the home page that says who you are. Add the missing properties named in the finding to the other nodes.

One of these is enough: an Organization with name, url and one of logo, description or sameAs; a LocalBusiness with name and address; a Person with name; a WebSite with name and url.

${IDENTITY}

Google lists the required properties of other types at https://developers.google.com/search/docs/appearance/structured-data/search-gallery`,
    },
  },
  needs: ['structuredData'],
  judge: ({ structuredData }) => {
    const nothing = judgeWithoutNodes(structuredData);
    if (nothing) return nothing;
    const identity = judgeIdentity(structuredData.pages[0]);
    const gaps = structuredData.pages.flatMap(describeGaps);
    if (gaps.length === 0 && identity.result === 'PASS') {
      const otherForms = describeOtherForms(structuredData.pages);
      return otherForms ? undetermined(identity.detail, otherForms) : identity;
    }
    if (gaps.length === 0) return identity;
    const rest = gaps.length - DESCRIBED_MAX;
    return fail(
      'ENTITY_INCOMPLETE',
      identity.result === 'FAIL' ? identity.detail : null,
      ...gaps.slice(0, DESCRIBED_MAX),
      rest > 0 ? safeText`And ${rest} more.` : null,
    );
  },
});

const INCOMPLETE = safeText`The part of the home page that we could read does not fully say who runs the site.`;

/** Judges whether the home page completely describes who is behind the site. */
function judgeIdentity(home: StructuredPage): Verdict<'ENTITY_INCOMPLETE'> {
  const entities = PageEntities.of(home);
  const identities = findIdentities(entities);
  const complete = identities.filter(isComplete);
  const best = complete.find(({ requirement }) => requirement.type !== 'WebSite') ?? complete[0];
  if (best) {
    return pass(
      safeText`${describePlace(home, best.entity.node)}: the ${term(best.requirement.type)} is complete and says who runs the site.`,
      describeDoubt(home, best),
    );
  }
  if (home.page.facts.isMalformed) {
    return undetermined(
      INCOMPLETE,
      safeText`The page is sent as XHTML, but is not well-formed XML, so parsers disagree about its content.`,
    );
  }
  if (home.blocks.some(({ kind }) => kind === 'broken'))
    return notApplicable(INCOMPLETE, safeText`One of its JSON-LD blocks is broken (see C-SD-01).`);
  const otherForms = describeOtherForms([home]);
  if (otherForms) return undetermined(INCOMPLETE, otherForms);
  if (!entities.isPageWhole)
    return undetermined(INCOMPLETE, safeText`The page, or its JSON-LD, is larger than this scanner reads.`);
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
      safeText`The item that says who runs the site has a type that is not in schema.org (see C-SD-02).`,
    );
  }
  return fail(
    'ENTITY_INCOMPLETE',
    safeText`The home page does not say who runs the site. It has no Organization, LocalBusiness, Person or WebSite at the top level, or as the publisher or provider of an item there.`,
  );
}

/** Describes a remaining doubt about who is behind the site; null if there is none. */
function describeDoubt(home: StructuredPage, { entity, requirement }: IdentityEntity): SafeText | null {
  if (requirement.type === 'WebSite') {
    return safeText`It names no organization or person. Add one as its publisher.`;
  }
  const urls = textsOf(entity, 'url').flatMap((url) => URL.parse(url, home.page.url) ?? []);
  if (urls.length === 0 || urls.some((url) => isSameSite(url, home.page.url))) return null;
  return safeText`Its url is on another domain. Unless that is your parent company's, use the address of this site.`;
}

function describeGaps(page: StructuredPage): SafeText[] {
  return findGaps(PageEntities.of(page)).map(
    ({ node, type, missing }) => safeText`${describePlace(page, node)}: ${type} lacks ${missing}.`,
  );
}
