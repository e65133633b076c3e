import { distinctBy } from '../../net/keyed.js';
import { found, valueOf } from '../artifacts/evidence.js';
import type { AgentCatalogs, CatalogDocument, CatalogEntry } from '../artifacts/manifests.js';
import { lineOf, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { readCatalog } from '../parsers/manifests/catalog.js';
import { parseHttpUrl } from '../parsers/addresses.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { findAdvertised, type ManifestParser, reportAbsence, readNamed, readWellKnown } from './documents.js';

type Place = CatalogDocument['place'];

/** Well-known paths in order of precedence; the last is from an MCP draft of spring 2026. */
const WELL_KNOWN: readonly { readonly path: SafeText; readonly place: Place }[] = [
  { path: term('/.well-known/ard.json'), place: 'ard' },
  { path: term('/.well-known/ai-catalog.json'), place: 'predecessor' },
  { path: term('/.well-known/mcp/catalog.json'), place: 'predecessor' },
];

/** Maximum number of announced catalogs that are read at other URLs. */
const ANNOUNCED_MAX = 3;

interface Announcement {
  readonly name: SafeText;
  readonly place: Place;
  readonly url: URL;
  /** True if a Link header or `<link>` names it. Its absence is then `missing`, otherwise `unreachable`. */
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
      ...(announced ? reportAbsence(document, 'unreachable') : document),
      place,
      isAnnounced: announced !== undefined,
    };
  });
  const elsewhere = announcements.filter(({ url }) => !fixedUrls.includes(url.href)).slice(0, ANNOUNCED_MAX);
  const others = await Promise.all(
    elsewhere.map(async ({ name, place, url, isLinked }): Promise<CatalogDocument> => {
      const document = await readNamed(context, name, url, parserOf(place));
      return { ...reportAbsence(document, isLinked ? 'missing' : 'unreachable'), place, isAnnounced: true };
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
