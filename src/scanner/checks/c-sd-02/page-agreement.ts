import { parse } from 'tldts';
import type { StructuredPage } from '../../artifacts/structured-data.js';
import { isSameSite } from '../../artifacts/site-address.js';
import { term, safeText } from '../../artifacts/safe-text.js';
import type { PageEntities } from '../../parsers/structured-data/entities.js';
import { textsOf } from '../../parsers/structured-data/entities.js';
import { isOfType } from '../../parsers/structured-data/identity.js';
import { SHOWN_PROPERTIES } from '../../parsers/structured-data/shown-words.js';
import { decodeMarkup, splitWords } from '../../parsers/structured-data/split-words.js';
import type { Mismatch } from './mismatch.js';
import { isTemplate } from './possible-values.js';

/** Types whose `url` is the address of the page or its site. */
const ADDRESSED_TYPES = ['WebSite', 'WebPage', 'Article'] as const;

/**
 * A url on a registrable domain other than those of the page and its canonical. Only applies to a node that is the only one of
 * its type with a url: several are a list of things elsewhere, such as a portfolio or a press review. A scholarly article's url
 * is where it was published, such as its DOI.
 */
export function findForeignUrls(entities: PageEntities): Mismatch[] {
  const { page } = entities;
  const { url: pageUrl, facts } = page.page;
  // Requires that everything was read, so that neither a second node nor the canonical link was missed.
  if (facts.areLinksCut || !entities.isPageWhole || !entities.isTopLevelWhole || isLocalAddress(pageUrl)) return [];
  const addressed = entities
    .topLevel()
    .filter((entity) => entity.properties.has('url') && !isOfType(entity, 'ScholarlyArticle'));
  return ADDRESSED_TYPES.flatMap((type) => {
    const [entity, ...others] = addressed.filter((candidate) => isOfType(candidate, type));
    if (!entity || others.length > 0) return [];
    const urls = textsOf(entity, 'url').filter((url) => !isTemplate(url));
    if (urls.length === 0 || !urls.every((url) => isForeign(url, page))) return [];
    const describe = () => safeText`url of the ${term(type)} is on another domain than the page and its canonical link`;
    return [{ page, node: entity.node, isMisspelling: false, describe }];
  });
}

/** Whether the site is a copy scanned under an IP address or localhost: its markup rightly names the public address. */
function isLocalAddress({ hostname }: URL): boolean {
  const { isIp } = parse(hostname);
  return isIp === true || hostname === 'localhost' || hostname.endsWith('.localhost');
}

function isForeign(reference: string, { page }: StructuredPage): boolean {
  const url = URL.parse(reference.trim(), page.url);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const { canonical } = page.facts;
  return !isSameSite(url, page.url) && !(canonical && isSameSite(url, canonical));
}

/**
 * Entities per page that are compared with it; entities with more names than this, or a longer name, are skipped. Bounds the cost
 * of hostile pages.
 */
const COMPARED_MAX = 100;
const NAMES_MAX = 20;
const COMPARED_CHARS_MAX = 1000;

const MAIN_ENTITY = new Set(['mainEntity']);

/** Headlines and product names that share less than half of their words with the title and the visible text of the page. */
export function findUnshownTitles(entities: PageEntities): Mismatch[] {
  const { page } = entities;
  const { shownWords } = page;
  if (shownWords === null) return [];
  const isShown = (value: string): boolean => {
    if (value.length > COMPARED_CHARS_MAX) return true;
    const own = splitWords(decodeMarkup(value));
    const shared = [...own].filter((word) => shownWords.has(word)).length;
    return shared * 2 >= own.size;
  };
  const subjects = entities.reachableBy(MAIN_ENTITY).slice(0, COMPARED_MAX);
  return SHOWN_PROPERTIES.flatMap(({ type, property }) =>
    subjects
      .filter((entity) => isOfType(entity, type) && (entity.properties.get(property)?.length ?? 0) <= NAMES_MAX)
      .filter((entity) => {
        const values = textsOf(entity, property).filter((value) => !isTemplate(value));
        return values.length > 0 && !values.some(isShown);
      })
      .map(({ node }) => ({
        page,
        node,
        isMisspelling: false,
        describe: () =>
          safeText`title and visible text of the page have fewer than half of the words in ${term(property)} of the ${term(type)}`,
      })),
  );
}
