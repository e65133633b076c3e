import { parse } from 'tldts';
import { remember } from '../../net/keyed.js';
import { listed, safeText, term, type SafeText, type Vocabulary } from '../artifacts/safe-text.js';
import { schemaOrg } from '../artifacts/schema-org.js';
import { isSameSite } from '../../net/url-gate.js';
import type { SchemaNode, StructuredPage } from '../artifacts/structured-data.js';
import { findNearest, isOfType, PageEntities, textsOf } from '../parsers/structured-data/entities.js';
import { decodeMarkup, SHOWN_PROPERTIES, splitWords } from '../parsers/structured-data/words.js';
import { describeKinds, isPossibleValue, isTemplate } from './c-sd-02-values.js';
import { describePlace, describeType } from './json-ld-places.js';

interface ComparedMarkup {
  /** One for each place where the markup contradicts the vocabulary or the page. */
  readonly mismatches: readonly SafeText[];
  /** Number of names that are similar to no term of schema.org: perhaps intended. */
  readonly strangeNameCount: number;
}

/** Compares a page's markup with the vocabulary, then with what the page shows. */
export function compareMarkup(page: StructuredPage): ComparedMarkup {
  const entities = PageEntities.of(page);
  const { mismatches, strangeNameCount } = compareWithVocabulary(page);
  return {
    mismatches: [...mismatches, ...findUrlsElsewhere(entities), ...findUnshownTitles(entities)],
    strangeNameCount,
  };
}

/** Types and values of a page that are compared with the vocabulary at most. No honest page has as many. */
const COMPARED_MAX = 15_000;
/** Unknown names of a page that are compared with the whole vocabulary at most. */
const UNKNOWN_NAMES_MAX = 100;

function compareWithVocabulary(page: StructuredPage): ComparedMarkup {
  const { types, members, properties } = schemaOrg();
  const mismatches: SafeText[] = [];
  let strangeNameCount = 0;
  const nearestNames = new Map<string, SafeText | null>();
  /** A name that is similar to no term may be the site's own, or newer than our copy of schema.org. */
  const reportIfMisspelt = (node: SchemaNode, what: SafeText, name: string, vocabulary: Vocabulary): void => {
    if (nearestNames.size < UNKNOWN_NAMES_MAX)
      remember(nearestNames, name, () => listed(findNearest(name, vocabulary) ?? '', vocabulary));
    const nearest = nearestNames.get(name) ?? null;
    if (nearest === null) strangeNameCount += 1;
    else
      mismatches.push(safeText`${describePlace(page, node)}: ${what} is not in schema.org (closest name: ${nearest})`);
  };
  let left = COMPARED_MAX;
  for (const node of page.nodes) {
    left -= node.properties.reduce((sum, { values }) => sum + values.length, node.types.length);
    if (left < 0) break;
    for (const { name, isCertain } of node.types) {
      // Enumeration members may also be used as types (schema.org, "Data model", on enumerations).
      if (isCertain && !types.has(name) && !members.has(name)) reportIfMisspelt(node, term('a type'), name, types);
    }
    for (const { name, isCertain, position, values } of node.properties) {
      const property = listed(name, properties);
      if (property === null) {
        if (isCertain && !isActionAnnotation(name))
          reportIfMisspelt(node, ofNode(safeText`property ${position}`, node), name, properties);
      } else if (!values.every((value) => isPossibleValue(name, value))) {
        const what = ofNode(property, node);
        mismatches.push(safeText`${describePlace(page, node)}: ${what} is not ${describeKinds(name)}`);
      }
    }
  }
  return { mismatches, strangeNameCount };
}

/** "price of the Offer". */
function ofNode(what: SafeText, node: SchemaNode): SafeText {
  const type = describeType(node);
  return type === null ? what : safeText`${what} of ${type}`;
}

/** `query-input`, `url-output`: how actions state which properties of an object are expected (schema.org, "Actions"). */
function isActionAnnotation(name: string): boolean {
  return name.endsWith('-input') || name.endsWith('-output');
}

/** Types whose `url` is the address of the page or its site. */
const ADDRESSED_TYPES = ['WebSite', 'WebPage', 'Article'] as const;

/**
 * Finds a url on another registrable domain than the page and its canonical link. Applies only to a node that is the only one of its type
 * with a url, since several are a list of things elsewhere, such as a portfolio or a press review. A scholarly article's url is where it
 * was published, such as its DOI.
 */
function findUrlsElsewhere(entities: PageEntities): SafeText[] {
  const { page } = entities;
  const { url: pageUrl, facts } = page.page;
  // In a part that was not read, there may be a second node or a canonical link.
  if (facts.areLinksCut || !entities.isPageWhole || isLocalAddress(pageUrl)) return [];
  const addressed = entities
    .topLevel()
    .filter((entity) => entity.properties.has('url') && !isOfType(entity, 'ScholarlyArticle'));
  return ADDRESSED_TYPES.flatMap((type) => {
    const [entity, ...others] = addressed.filter((candidate) => isOfType(candidate, type));
    if (!entity || others.length > 0) return [];
    const urls = textsOf(entity, 'url').filter((url) => !isTemplate(url));
    if (urls.length === 0 || !urls.every((url) => isElsewhere(url, page))) return [];
    return safeText`${describePlace(page, entity.node)}: the url of the ${term(type)} is not on the domain of the page or its canonical link`;
  });
}

/** True for a copy under an IP address or localhost, whose markup rightly names the public address. */
function isLocalAddress({ hostname }: URL): boolean {
  return parse(hostname).isIp === true || hostname === 'localhost' || hostname.endsWith('.localhost');
}

function isElsewhere(reference: string, { page }: StructuredPage): boolean {
  const url = URL.parse(reference.trim(), page.url);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  const { canonical } = page.facts;
  return !isSameSite(url, page.url) && !(canonical && isSameSite(url, canonical));
}

/** Entities of a page that are compared with it at most. Entities with more names than this, or a longer name, are skipped. */
const ENTITIES_MAX = 100;
const NAMES_MAX = 20;
const COMPARED_CHARS_MAX = 1000;

const MAIN_ENTITY = new Set(['mainEntity']);

/** Finds headlines and product names that share less than half of their words with the title and visible text of the page. */
function findUnshownTitles(entities: PageEntities): SafeText[] {
  const { page } = entities;
  const { shownWords } = page;
  if (shownWords === null) return [];
  const isShown = (value: string): boolean => {
    if (value.length > COMPARED_CHARS_MAX) return true;
    const own = splitWords(decodeMarkup(value));
    return [...own].filter((word) => shownWords.has(word)).length * 2 >= own.size;
  };
  const subjects = entities.reachableBy(MAIN_ENTITY).slice(0, ENTITIES_MAX);
  return SHOWN_PROPERTIES.flatMap(({ type, property }) =>
    subjects
      .filter((entity) => isOfType(entity, type) && (entity.properties.get(property)?.length ?? 0) <= NAMES_MAX)
      .filter((entity) => {
        const values = textsOf(entity, property).filter((value) => !isTemplate(value));
        return values.length > 0 && !values.some(isShown);
      })
      .map(
        ({ node }) =>
          safeText`${describePlace(page, node)}: the page shows fewer than half of the words in the ${term(property)} of the ${term(type)}`,
      ),
  );
}
