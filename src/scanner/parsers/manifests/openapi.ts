import { isMap, isSeq, parseDocument } from 'yaml';
import { MANIFEST_LIMITS } from '../../limits.js';
import { isSameSite } from '../../artifacts/site-address.js';
import type { JsonObject, JsonValue } from '../json.js';
import { isArray, isObject, isTemplated, readObject } from './shape.js';

const SECTION = /^(openapi|swagger|info|paths|servers|host)[ \t]*:/;

/** The parts that identify an OpenAPI description. */
interface OpenApiParts {
  /** `openapi`, or `swagger` before version 3. */
  readonly version: unknown;
  readonly title: unknown;
  readonly firstPath: unknown;
  readonly servers: readonly unknown[];
}

/** An OpenAPI description as far as it matters here. */
export interface OpenApiDescription {
  /** It has a server on the site's own domain, or names none. */
  readonly isOwn: boolean;
  /** Its first server, to which tools send requests; null if it names none, or a template. */
  readonly firstServer: URL | null;
}

/**
 * Reads an OpenAPI description (3.x, or Swagger 2.0) at `url`, in JSON or YAML: it has a title and at least one path. By default
 * its server is the place of the description (OpenAPI 3.1 §4.8.5). Null if the text is not such a description.
 */
export function readOpenApi(text: string, url: URL): OpenApiDescription | null {
  const parts = text.trimStart().startsWith('{') ? partsOfJson(text, url) : partsOfYaml(text);
  if (parts === null) return null;
  const { version, title, firstPath, servers } = parts;
  if (typeof version !== 'string' || !/^(?:3\.\d{1,3}\.\d{1,3}|2\.0$)/.test(version)) return null;
  if (typeof title !== 'string' || typeof firstPath !== 'string' || !firstPath.startsWith('/')) return null;
  const urls = servers.map((server) => serverUrl(server, url));
  const isOwn = servers.length === 0 || urls.some((server) => server !== null && isSameSite(server, url));
  return { isOwn, firstServer: urls[0] ?? null };
}

function serverUrl(server: unknown, base: URL): URL | null {
  return typeof server !== 'string' || isTemplated(server) ? null : URL.parse(server, base);
}

function partsOfJson(text: string, url: URL): OpenApiParts | null {
  const document = readObject(text, url);
  if (!('object' in document)) return null;
  const { object } = document;
  const info = object.get('info');
  const paths = object.get('paths');
  return {
    version: object.get('openapi') ?? object.get('swagger'),
    title: isObject(info) ? info.get('title') : null,
    firstPath: isObject(paths) ? findPath(paths.keys()) : null,
    servers: serversOfJson(object),
  };
}

function findPath(keys: Iterable<string>): string | null {
  for (const key of keys) if (key.startsWith('/')) return key;
  return null;
}

function serversOfJson(object: JsonObject): readonly (JsonValue | undefined)[] {
  const servers = object.get('servers');
  if (isArray(servers))
    return servers
      .slice(0, MANIFEST_LIMITS.serversMax)
      .map((server) => (isObject(server) ? server.get('url') : undefined));
  return hostsOf(object.get('host'));
}

/**
 * Reads only the identifying parts, as YAML nodes rather than values: aliases are then never resolved, so an alias bomb cannot
 * expand.
 */
function partsOfYaml(text: string): OpenApiParts | null {
  const document = parseDocument(excerptOf(text), { uniqueKeys: false, logLevel: 'silent', prettyErrors: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  const root = document.contents;
  const paths = root.get('paths', true);
  const servers = root.get('servers', true);
  return {
    version: root.get('openapi') ?? root.get('swagger'),
    title: document.getIn(['info', 'title']),
    firstPath: isMap(paths) ? scalarOf(paths.items[0]?.key) : null,
    servers: isSeq(servers)
      ? servers.items.map((server) => (isMap(server) ? server.get('url') : undefined))
      : hostsOf(root.get('host')),
  };
}

/** Swagger 2.0 names a host in place of servers. */
function hostsOf(host: unknown): string[] {
  return typeof host === 'string' && host.trim() !== '' ? [`//${host}`] : [];
}

function scalarOf(node: unknown): unknown {
  return typeof node === 'object' && node !== null && 'value' in node ? node.value : node;
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
