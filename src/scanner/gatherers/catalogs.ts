import { found, valueOf } from '../artifacts/evidence.js';
import type { AgentCatalogs, CatalogDocument } from '../artifacts/manifests.js';
import { type SafeText, lineOf, pointToAnswer, term, safeText } from '../artifacts/safe-text.js';
import { type Catalog, type CatalogDialect, readCatalog } from '../parsers/manifests/catalog.js';
import { httpUrlOf } from '../parsers/manifests/shape.js';
import { findAdvertised } from './named.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { type ManifestDocumentReading, readLinkedDocument, readWellKnown } from './manifest-document.js';
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
  const known = new Set(PATHS.map(([path]) => new URL(path.text, origin).href));
  const elsewhere = announcements.filter(({ url }) => !known.has(url.href)).slice(0, ANNOUNCED_MAX);
  const others = await Promise.all(elsewhere.map((announcement) => readAnnounced(context, announcement)));
  const placesByUrl = new Map(announcements.map(({ url, place }) => [url.href, place]));
  const fixed = PATHS.flatMap(([path, place], index) => {
    const reading = wellKnown[index];
    const namedAs = placesByUrl.get(new URL(path.text, origin).href);
    // Current ARD clients follow rel=ard, whatever the path.
    const name = pointToAnswer(path, new URL(path.text, origin));
    return reading ? [toDocument(name, namedAs === 'ard' ? 'ard' : place, namedAs !== undefined, reading)] : [];
  });
  const ofArd = others.filter(({ place }) => place === 'ard');
  const ofPredecessors = others.filter(({ place }) => place === 'predecessor');
  const documents = [...ofArd, ...fixed.slice(0, ARD_PATHS), ...ofPredecessors, ...fixed.slice(ARD_PATHS)];
  return found<AgentCatalogs>({ documents });
};

function parserOf(place: Place) {
  return (text: string, { url }: { readonly url: URL }) => readCatalog(text, url, DIALECTS[place]);
}

/** Returns distinct URLs: Agentmap lines (ARD 0.91 §4), then `rel=ard`, then `rel=ai-catalog`. */
async function findAnnouncements(context: CollectContext): Promise<Announcement[]> {
  const [robots, home] = await Promise.all([context.evidence('robots'), context.evidence('home')]);
  const announcements: Announcement[] = [];
  const file = valueOf(robots);
  if (file?.kind === 'present') {
    for (const { value, line } of file.value.robots.agentmaps) {
      const url = httpUrlOf(value, file.value.origin);
      if (url !== null)
        announcements.push({
          name: safeText`The catalog of the Agentmap in ${lineOf('robots.txt', line)} of robots.txt`,
          place: 'ard',
          url,
          isLinked: false,
        });
    }
  }
  const page = valueOf(home);
  if (page) {
    const ardName = term('The catalog that the home page names by rel="ard"');
    for (const url of findAdvertised(page, (rel) => rel === 'ard'))
      announcements.push({ name: ardName, place: 'ard', url, isLinked: true });
    const olderName = term('The catalog that the home page names by rel="ai-catalog"');
    for (const url of findAdvertised(page, (rel) => rel === 'ai-catalog'))
      announcements.push({ name: olderName, place: 'predecessor', url, isLinked: true });
  }
  return distinctBy(announcements, ({ url }) => url.href);
}

async function readAnnounced(context: CollectContext, announcement: Announcement): Promise<CatalogDocument> {
  const { name, place, url, isLinked } = announcement;
  const reading = await readLinkedDocument(context, url, parserOf(place));
  const isMissing = reading.kind === 'missing' && !isLinked;
  return toDocument(pointToAnswer(name, url), place, true, isMissing ? { kind: 'absent' } : reading);
}

function toDocument(
  path: SafeText,
  place: Place,
  isAnnounced: boolean,
  reading: ManifestDocumentReading<Catalog>,
): CatalogDocument {
  const base = { path, place, isAnnounced };
  if (reading.kind === 'read') {
    const { kind, problems, notes, value } = reading;
    return { ...base, state: { kind, problems, notes, entries: value?.entries ?? [] } };
  }
  const isMissing = isAnnounced && reading.kind === 'absent';
  return { ...base, state: isMissing ? { kind: 'unreachable', detail: safeText`is not there` } : reading };
}
