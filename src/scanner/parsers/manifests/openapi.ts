import { isObject } from '../json.js';
import { readManifest } from './document.js';

const VERSION = /^(?:3\.\d{1,3}\.\d{1,3}|2\.0$)/;
const YAML_VERSION = /^(?:openapi|swagger)[ \t]*:[ \t]*["']?(?:3\.\d|2\.0)/m;
/** The key `paths`, and below it a first path, indented or quoted. */
const YAML_PATHS = /^paths[ \t]*:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n){0,20}[ \t]+["']?\//m;

/** True for an OpenAPI description (3.x, or Swagger 2.0) with a path: JSON with a title, or what looks like one in YAML. */
export function isOpenApi(text: string, url: URL): boolean {
  if (!text.trimStart().startsWith('{')) return YAML_VERSION.test(text) && YAML_PATHS.test(text);
  const reading = readManifest(text, url, (root) => {
    const version = root.at('openapi').text ?? root.at('swagger').text ?? '';
    const paths = root.at('paths').value;
    const hasPath = isObject(paths) && [...paths.keys()].some((path) => path.startsWith('/'));
    const value = VERSION.test(version) && typeof root.at('info').at('title').value === 'string' && hasPath;
    return { kind: 'read', problems: [], value };
  });
  return reading.kind === 'read' && reading.value === true;
}
