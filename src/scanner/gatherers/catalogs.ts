import { distinctBy } from '../../net/keyed.js';
import { found, valueOf } from '../artifacts/evidence.js';
import type { AgentCatalogs, CatalogDocument, CatalogEntry } from '../artifacts/manifests.js';
import { lineOf, type SafeText, safeText, term } from '../artifacts/safe-text.js';
import { readCatalog } from '../parsers/manifests/catalog.js';
import { parseHttpUrl } from '../parsers/addresses.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { findAdvertised, type ManifestParser, reportAbsence, readNamed, readWellKnown } from './documents.js';

type CatalogFormat = CatalogDocument['format'];

/** Well-known paths in order of precedence; the last is from an MCP draft of spring 2026. */
const WELL_KNOWN: readonly { readonly path: SafeText; readonly format: CatalogFormat }[] = [
  { path: term('/.well-known/ard.json'), format: 'ard' },
  { path: term('/.well-known/ai-catalog.json'), format: 'predecessor' },
  { path: term('/.well-known/mcp/catalog.json'), format: 'predecessor' },
];

/** Maximum number of announced catalogs that are read at other URLs. */
const ANNOUNCED_MAX = 3;

interface Announcement {
  readonly name: SafeText;
  readonly format: CatalogFormat;
  readonly url: URL;
  /** True if a Link header or `<link>` names it. Its absence is then `missing`, otherwise `unreachable`. */
  readonly isLinked: boolean;
}

/** Reads the catalogs at the well-known paths in parallel, then those that robots.txt and the home page announce elsewhere. */
export const collectCatalogs: Collector<'catalogs'> = async (context) => {
  const links = () => findAnnouncements(context);
  const [wellKnown, announcements, origin] = await Promise.all([
    Promise.all(WELL_KNOWN.map(({ path, format }) => readWellKnown(context, { path, parse: parserOf(format), links }))),
    findAnnouncements(context),
    context.fileOrigin(),
  ]);
  const fixedUrls = WELL_KNOWN.map(({ path }) => new URL(path.text, origin).href);
  const fixed = wellKnown.map((document, index) => {
    const announced = announcements.find(({ url }) => url.href === fixedUrls[index]);
    // Current ARD clients follow rel=ard, whatever the path.
    const format = announced?.format === 'ard' ? 'ard' : (WELL_KNOWN[index]?.format ?? 'predecessor');
    return {
      ...(announced ? reportAbsence(document, 'unreachable') : document),
      format,
      isAnnounced: announced !== undefined,
    };
  });
  const elsewhere = announcements.filter(({ url }) => !fixedUrls.includes(url.href)).slice(0, ANNOUNCED_MAX);
  const others = await Promise.all(
    elsewhere.map(async ({ name, format, url, isLinked }): Promise<CatalogDocument> => {
      const document = await readNamed(context, name, url, parserOf(format));
      return { ...reportAbsence(document, isLinked ? 'missing' : 'unreachable'), format, isAnnounced: true };
    }),
  );
  const { ard = [], predecessor = [] } = Object.groupBy(others, ({ format }) => format);
  return found<AgentCatalogs>({ documents: [...ard, ...fixed.slice(0, 1), ...predecessor, ...fixed.slice(1)] });
};

function parserOf(format: CatalogFormat): ManifestParser<readonly CatalogEntry[]> {
  return (text, { url }) => readCatalog(text, url, format === 'ard' ? 'ard' : 'aiCatalog');
}

/** Returns distinct URLs: Agentmap lines (ARD 0.91 §4), then `rel=ard`, then `rel=ai-catalog`. */
async function findAnnouncements(context: CollectContext): Promise<Announcement[]> {
  const robots = valueOf(await context.evidence('robots'));
  const file = robots?.kind === 'present' ? robots.value : null;
  const agentmaps = (file?.robots.agentmaps ?? []).flatMap(({ value, line }): Announcement[] => {
    const url = parseHttpUrl(value, file?.origin);
    const name = safeText`The catalog of the Agentmap in ${lineOf('robots.txt', line)} of robots.txt`;
    return url === null ? [] : [{ name, format: 'ard', url, isLinked: false }];
  });
  const findLinked = async (relation: string, name: SafeText, format: CatalogFormat): Promise<Announcement[]> =>
    (await findAdvertised(context, (rel) => rel === relation)).map((url) => ({ name, format, url, isLinked: true }));
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
