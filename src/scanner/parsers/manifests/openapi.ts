import { isMap, parseDocument, Scalar, visit } from 'yaml';
import { MANIFEST_LIMITS } from '../../limits.js';
import { isSameSite } from '../../artifacts/site-address.js';
import { isArray, isObject, type JsonValue } from '../json.js';
import { isTemplated, Part, readObject } from './shape.js';

const SECTION = /^(openapi|swagger|info|paths|servers|host)[ \t]*:/;

/**
 * True for an OpenAPI description (3.x, or Swagger 2.0) in JSON or YAML, with a title and at least one path, that has a server on the
 * site's own domain. By default its server is the place of the description (OpenAPI 3.1 §4.8.5).
 */
export function isOwnOpenApi(text: string, url: URL): boolean {
  const root = text.trimStart().startsWith('{') ? readObject(text, url) : readYaml(text, url);
  if (!(root instanceof Part)) return false;
  const version = root.at('openapi').text ?? root.at('swagger').text ?? '';
  const paths = root.at('paths').value;
  const hasPath = isObject(paths) && [...paths.keys()].some((path) => typeof path === 'string' && path.startsWith('/'));
  if (!VERSION.test(version) || typeof root.at('info').at('title').value !== 'string' || !hasPath) return false;
  const urls = serversOf(root);
  return urls.length === 0 || urls.some((server) => server !== null && isSameSite(server, url));
}

const VERSION = /^(?:3\.\d{1,3}\.\d{1,3}|2\.0$)/;

function serversOf(root: Part): (URL | null)[] {
  const servers = root.at('servers').value;
  const host = root.at('host').text;
  // Swagger 2.0 names a host in place of servers.
  if (!isArray(servers)) return host === null ? [] : [URL.parse(`//${host}`, root.file)];
  return servers.slice(0, MANIFEST_LIMITS.serversMax).map((server) => {
    const address = isObject(server) ? server.get('url') : null;
    return typeof address !== 'string' || isTemplated(address) ? null : URL.parse(address, root.file);
  });
}

/** Reads only the identifying parts. No alias is resolved, so an alias bomb cannot expand. */
function readYaml(text: string, url: URL): Part | null {
  const document = parseDocument(excerptOf(text), { uniqueKeys: false, logLevel: 'silent', prettyErrors: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  visit(document, { Alias: () => new Scalar(null) });
  return new Part(url, document.toJS({ mapAsMap: true }) as JsonValue);
}

/** The start of each identifying section, short enough for the YAML library; empty if the text is not an OpenAPI description. */
function excerptOf(text: string): string {
  const lines: string[] = [];
  const seen = new Set<string>();
  let linesLeft = 0;
  for (const line of text.split('\n')) {
    const isIndented = /^(?:[ \t#-]|\r?$)/.test(line);
    if (!isIndented) {
      const section = SECTION.exec(line)?.[1];
      linesLeft = section === undefined || seen.has(section) ? 0 : MANIFEST_LIMITS.yamlSectionLinesMax;
      if (section !== undefined) seen.add(section);
    }
    if (linesLeft === 0) continue;
    linesLeft -= 1;
    lines.push(line);
  }
  if (!seen.has('openapi') && !seen.has('swagger')) return '';
  const excerpt = lines.join('\n');
  return excerpt.length > MANIFEST_LIMITS.yamlCharsMax ? '' : excerpt;
}
