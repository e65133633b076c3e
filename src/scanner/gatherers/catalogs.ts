import { distinctBy } from '../../net/keyed.js';
import { found, valueOf } from '../artifacts/evidence.js';
import type { AgentCatalogs, CatalogDocument, CatalogEntry, ManifestDocument } from '../artifacts/manifests.js';
import { lineOf, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { inlineResource, readCatalog } from '../parsers/manifests/catalog.js';
import type { JsonNode, ManifestReading } from '../parsers/manifests/document.js';
import { parseHttpUrl } from '../parsers/addresses.js';
import type { CollectContext, Collector } from '../probe/context.js';
import {
  broken,
  contentOf,
  findAdvertised,
  type ManifestParser,
  mustExist,
  readNamed,
  readWellKnown,
  TARGETS_MAX,
} from './documents.js';

type Place = CatalogDocument['place'];

/** Well-known paths in order of precedence; the last is from an MCP draft of spring 2026. */
const WELL_KNOWN: readonly { readonly path: SafeText; readonly place: Place }[] = [
  { path: term('/.well-known/ard.json'), place: 'ard' },
  { path: term('/.well-known/ai-catalog.json'), place: 'predecessor' },
  { path: term('/.well-known/mcp/catalog.json'), place: 'predecessor' },
];

const ANNOUNCED_MAX = 3;

interface Announcement {
  readonly name: SafeText;
  readonly place: Place;
  readonly url: URL;
  /** True if a Link header or `<link>` names it, which requires it to exist; an Agentmap does not. */
  readonly isLinked: boolean;
}

/** Reads the catalogs at the well-known paths in parallel, then those that robots.txt and the home page announce elsewhere. */
export const collectCatalogs: Collector<'catalogs'> = async (context) => {
  const links = () => findAnnouncements(context);
  const [wellKnown, announcements, origin] = await Promise.all([
    Promise.all(WELL_KNOWN.map(({ path, place }) => readWellKnown(context, { path, parse: parserOf(place), links }))),
    findAnnouncements(context),
    context.fileOrigin(),
  ]);
  const fixedUrls = WELL_KNOWN.map(({ path }) => new URL(path.text, origin).href);
  const fixed = wellKnown.map((document, index) => {
    const announced = announcements.find(({ url }) => url.href === fixedUrls[index]);
    // Current ARD clients follow rel=ard, whatever the path.
    const place = announced?.place === 'ard' ? 'ard' : (WELL_KNOWN[index]?.place ?? 'predecessor');
    return {
      ...(announced ? mustExist(document, 'unreachable') : document),
      place,
      isAnnounced: announced !== undefined,
    };
  });
  const elsewhere = announcements.filter(({ url }) => !fixedUrls.includes(url.href)).slice(0, ANNOUNCED_MAX);
  const others = await Promise.all(
    elsewhere.map(async ({ name, place, url, isLinked }): Promise<CatalogDocument> => {
      const document = await readNamed(context, name, url, parserOf(place));
      return { ...mustExist(document, isLinked ? 'missing' : 'unreachable'), place, isAnnounced: true };
    }),
  );
  const { ard = [], predecessor = [] } = Object.groupBy(others, ({ place }) => place);
  return found<AgentCatalogs>({ documents: [...ard, ...fixed.slice(0, 1), ...predecessor, ...fixed.slice(1)] });
};

function parserOf(place: Place): ManifestParser<readonly CatalogEntry[]> {
  return (text, { url }) => readCatalog(text, url, place === 'ard' ? 'ard' : 'aiCatalog');
}

/** Returns distinct URLs: Agentmap lines (ARD 0.91 §4), then `rel=ard`, then `rel=ai-catalog`. */
async function findAnnouncements(context: CollectContext): Promise<Announcement[]> {
  const robots = valueOf(await context.evidence('robots'));
  const file = robots?.kind === 'present' ? robots.value : null;
  const agentmaps = (file?.robots.agentmaps ?? []).flatMap(({ value, line }): Announcement[] => {
    const url = parseHttpUrl(value, file?.origin);
    const name = safeText`The catalog of the Agentmap in ${lineOf('robots.txt', line)} of robots.txt`;
    return url === null ? [] : [{ name, place: 'ard', url, isLinked: false }];
  });
  const findLinked = async (relation: string, name: SafeText, place: Place): Promise<Announcement[]> =>
    (await findAdvertised(context, (rel) => rel === relation)).map((url) => ({ name, place, url, isLinked: true }));
  const announcements = [
    ...agentmaps,
    ...(await findLinked('ard', term('The catalog that the home page links to with rel="ard"'), 'ard')),
    ...(await findLinked(
      'ai-catalog',
      term('The catalog that the home page links to with rel="ai-catalog"'),
      'predecessor',
    )),
  ];
  return distinctBy(announcements, ({ url }) => url.href);
}

/** A kind of card that entries of catalogs link to or contain. */
interface CardKind<T> {
  /** "agent card". */
  readonly name: SafeText;
  readonly isListed: (entry: CatalogEntry) => boolean;
  readonly parse: ManifestParser<T>;
  readonly readNode: (card: JsonNode) => ManifestReading<T>;
  readonly accept?: string;
}

/** Reads the first cards of a kind in all catalogs. A catalog may be served at two URLs: each card counts once. */
export async function readCataloguedCards<T>(
  context: CollectContext,
  kind: CardKind<T>,
): Promise<ManifestDocument<T>[]> {
  const catalogs = valueOf(await context.evidence('catalogs'))?.documents ?? [];
  const entries = catalogs.flatMap(({ path, state }) =>
    (contentOf({ path, state }) ?? [])
      .filter(kind.isListed)
      .map((entry) => ({ ...entry, name: safeText`The ${kind.name} of ${entry.name} of ${path}` })),
  );
  const distinct = distinctBy(entries, ({ url, pointer, file }) => url?.href ?? `${file.href} ${pointer}`);
  const cards = await Promise.all(distinct.slice(0, TARGETS_MAX).map((entry) => readCard(context, kind, entry)));
  return distinct.length > TARGETS_MAX ? [...cards, UNREAD_CARD] : cards;
}

const UNREAD_CARD: ManifestDocument<never> = {
  path: safeText`A further card of a catalog`,
  state: { kind: 'unknown', detail: safeText`there are more cards than this scanner reads` },
};

async function readCard<T>(
  context: CollectContext,
  { parse, readNode, accept }: CardKind<T>,
  entry: CatalogEntry,
): Promise<ManifestDocument<T>> {
  if (entry.url) return readNamed(context, entry.name, entry.url, parse, accept);
  const card = inlineResource(entry);
  const state = card ? readNode(card) : broken(safeText`is not an object`);
  return { path: entry.name, state };
}
