import { found, valueOf } from '../artifacts/evidence.js';
import type { AgentCatalogs, CatalogDocument } from '../artifacts/manifests.js';
import type { SafeText } from '../artifacts/safe-text.js';
import { lineOf, pointToAnswer, term, safeText } from '../artifacts/safe-text.js';
import type { Catalog, CatalogDialect } from '../parsers/manifests/catalog.js';
import { readCatalog } from '../parsers/manifests/catalog.js';
import { httpUrlOf } from '../parsers/manifests/shape.js';
import { findAdvertised } from './advertised.js';
import type { CollectContext, Collector } from '../probe/collector.js';
import type { ManifestDocumentReading } from './manifest-document.js';
import { PRIVATE_DETAIL, readNamed, readWellKnown } from './manifest-document.js';
import { isLinked, isNamed } from './named.js';
import { distinctBy } from '../../net/keyed.js';

type Place = CatalogDocument['place'];

const DIALECTS: Readonly<Record<Place, CatalogDialect>> = { ard: 'ard', predecessor: 'aiCatalog' };

/** Where catalogs are without being announced, in order of precedence; the last is of a draft of MCP's from spring 2026. */
const PATHS: readonly (readonly [path: SafeText, place: Place])[] = [
  [term('/.well-known/ard.json'), 'ard'],
  [term('/.well-known/ai-catalog.json'), 'predecessor'],
  [term('/.well-known/mcp/catalog.json'), 'predecessor'],
];
const ARD_PATHS = 1;

/** How many announced catalogs are read at other places. */
const ANNOUNCED_MAX = 3;

interface Announcement {
  readonly name: SafeText;
  readonly place: Place;
  readonly url: URL;
}

/** Reads the catalogs at the well-known places at once, and then those that robots.txt and the home page announce elsewhere. */
export const collectCatalogs: Collector<'catalogs'> = async (context) => {
  const isAnnounced = async (url: URL): Promise<boolean> => {
    const { announcements } = await findAnnouncements(context);
    return (await isLinked(announcements, [url])) || isNamed(context, url);
  };
  const [wellKnown, { announcements, brokenAgentmaps }, origin] = await Promise.all([
    Promise.all(PATHS.map(([path, place]) => readWellKnown(context, path, parserOf(place), { isAnnounced }))),
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
    // What rel=ard names is where readers of today look, wherever that is.
    const name = pointToAnswer(path, new URL(path.text, origin));
    return reading ? [toDocument(name, namedAs === 'ard' ? 'ard' : place, namedAs !== undefined, reading)] : [];
  });
  const ofArd = others.filter(({ place }) => place === 'ard');
  const ofPredecessors = others.filter(({ place }) => place === 'predecessor');
  const documents = [...ofArd, ...fixed.slice(0, ARD_PATHS), ...ofPredecessors, ...fixed.slice(ARD_PATHS)];
  return found<AgentCatalogs>({ documents, brokenAgentmaps });
};

function parserOf(place: Place) {
  return (text: string, { url }: { readonly url: URL }) => readCatalog(text, url, DIALECTS[place]);
}

interface Announced {
  readonly announcements: readonly Announcement[];
  readonly brokenAgentmaps: readonly number[];
}

/** Each address once: Agentmap lines (ARD 0.91 §4), then `rel=ard` and `rel=ai-catalog` by Link header, then by `<link>`. */
async function findAnnouncements(context: CollectContext): Promise<Announced> {
  const [robots, home] = await Promise.all([context.evidence('robots'), context.evidence('home')]);
  const announcements: Announcement[] = [];
  const brokenAgentmaps: number[] = [];
  const file = valueOf(robots);
  if (file?.kind === 'present') {
    for (const { value, line } of file.value.robots.agentmaps) {
      const url = httpUrlOf(value, file.value.origin);
      if (url === null) brokenAgentmaps.push(line);
      else
        announcements.push({
          name: safeText`The catalog of the Agentmap in ${lineOf('robots.txt', line)} of robots.txt`,
          place: 'ard',
          url,
        });
    }
  }
  const page = valueOf(home);
  if (page) {
    const ardName = term('The catalog that the home page names by rel="ard"');
    for (const url of findAdvertised(page, (rel) => rel === 'ard'))
      announcements.push({ name: ardName, place: 'ard', url });
    const olderName = term('The catalog that the home page names by rel="ai-catalog"');
    for (const url of findAdvertised(page, (rel) => rel === 'ai-catalog'))
      announcements.push({ name: olderName, place: 'predecessor', url });
  }
  return { announcements: distinctBy(announcements, ({ url }) => url.href), brokenAgentmaps };
}

async function readAnnounced(context: CollectContext, { name, place, url }: Announcement): Promise<CatalogDocument> {
  const path = pointToAnswer(name, url);
  if (context.isPrivateLink(url)) {
    const problems = [PRIVATE_DETAIL];
    return { path, place, isAnnounced: true, state: { kind: 'read', problems, notes: [], entries: [] } };
  }
  return toDocument(path, place, true, await readNamed(context, url, parserOf(place)));
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
