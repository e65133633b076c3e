import { found, valueOf } from '../artifacts/evidence.js';
import type { AgentCatalogs, CatalogDocument } from '../artifacts/manifests.js';
import { type SafeText, lineOf, term, safeText } from '../artifacts/safe-text.js';
import { type Catalog, type CatalogDialect, readCatalog } from '../parsers/manifests/catalog.js';
import { httpUrlOf } from '../parsers/manifests/shape.js';
import { findAdvertised } from './named.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { type ManifestParser, type NamedReading, readLinkedDocument, readWellKnown } from './manifest-document.js';
import { distinctBy } from '../../net/keyed.js';

type Place = CatalogDocument['place'];

const DIALECTS: Readonly<Record<Place, CatalogDialect>> = { ard: 'ard', predecessor: 'aiCatalog' };

/** Well-known paths in order of precedence; the last is from an MCP draft of spring 2026. */
const PATHS: readonly (readonly [path: SafeText, place: Place])[] = [
  [term('/.well-known/ard.json'), 'ard'],
  [term('/.well-known/ai-catalog.json'), 'predecessor'],
  [term('/.well-known/mcp/catalog.json'), 'predecessor'],
];
const ARD_PATHS = 1;

/** Announced catalogs that are read at other URLs. */
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
    Promise.all(PATHS.map(([path, place]) => readWellKnown(context, path, parserOf(place), { links }))),
    findAnnouncements(context),
    context.fileOrigin(),
  ]);
  const known = PATHS.map(([path]) => new URL(path.text, origin).href);
  const elsewhere = announcements.filter(({ url }) => !known.includes(url.href)).slice(0, ANNOUNCED_MAX);
  const others = await Promise.all(elsewhere.map((announcement) => readAnnounced(context, announcement)));
  const fixed = wellKnown.map((document, index) => {
    const announced = announcements.find(({ url }) => url.href === known[index]);
    // Current ARD clients follow rel=ard, whatever the path.
    const place = announced?.place === 'ard' ? 'ard' : (PATHS[index]?.[1] ?? 'predecessor');
    return toDocument(document, place, announced !== undefined);
  });
  const ofArd = others.filter(({ place }) => place === 'ard');
  const ofPredecessors = others.filter(({ place }) => place === 'predecessor');
  const documents = [...ofArd, ...fixed.slice(0, ARD_PATHS), ...ofPredecessors, ...fixed.slice(ARD_PATHS)];
  return found<AgentCatalogs>({ documents });
};

function parserOf(place: Place): ManifestParser<Catalog> {
  return (text, { url }) => readCatalog(text, url, DIALECTS[place]);
}

/** Returns distinct URLs: Agentmap lines (ARD 0.91 §4), then `rel=ard`, then `rel=ai-catalog`. */
async function findAnnouncements(context: CollectContext): Promise<Announcement[]> {
  const [robots, home] = await Promise.all([context.evidence('robots'), context.evidence('home')]);
  const file = valueOf(robots);
  const { origin, robots: policy } = file?.kind === 'present' ? file.value : {};
  const agentmaps = (policy?.agentmaps ?? []).flatMap(({ value, line }): Announcement[] => {
    const name = safeText`The catalog of the Agentmap in ${lineOf('robots.txt', line)} of robots.txt`;
    const url = httpUrlOf(value, origin);
    return url === null ? [] : [{ name, place: 'ard', url, isLinked: false }];
  });
  const page = valueOf(home);
  const named = (relation: string, name: SafeText, place: Place): Announcement[] =>
    (page ? findAdvertised(page, (rel) => rel === relation) : []).map((url) => ({ name, place, url, isLinked: true }));
  const announcements = [
    ...agentmaps,
    ...named('ard', term('The catalog that the home page names by rel="ard"'), 'ard'),
    ...named('ai-catalog', term('The catalog that the home page names by rel="ai-catalog"'), 'predecessor'),
  ];
  return distinctBy(announcements, ({ url }) => url.href);
}

async function readAnnounced(
  context: CollectContext,
  { name, place, url, isLinked }: Announcement,
): Promise<CatalogDocument> {
  const document = await readLinkedDocument(context, name, url, parserOf(place));
  const isAbsent = document.reading.kind === 'missing' && !isLinked;
  return toDocument(isAbsent ? { ...document, reading: { kind: 'absent' } } : document, place, true);
}

function toDocument({ path, reading }: NamedReading<Catalog>, place: Place, isAnnounced: boolean): CatalogDocument {
  const base = { path, place, isAnnounced };
  if (reading.kind === 'read') {
    const { kind, problems, notes, value } = reading;
    return { ...base, state: { kind, problems, notes, entries: value?.entries ?? [] } };
  }
  const isMissing = isAnnounced && reading.kind === 'absent';
  return { ...base, state: isMissing ? { kind: 'unreachable', detail: safeText`is not there` } : reading };
}
