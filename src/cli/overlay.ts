import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
import { InputError } from '../platform/errors.js';
import { decodePath, type Overlay, type OverlayFile, pathsServing } from '../scanner/client/stand-in.js';

const FILES_MAX = 1000;
const FILE_BYTES_MAX = 2 * 1_048_576;
const ALL_BYTES_MAX = 64 * 1_048_576;

/** Header fields in the form that Netlify and Cloudflare Pages read. */
const FIELDS_FILE = '_headers';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.jsonld': 'application/ld+json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.gz': 'application/gzip',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
};

/**
 * Reads a folder of files as they would be served from its root, without links and hidden files other than .well-known.
 * @throws InputError
 */
export async function readOverlay(folder: string): Promise<Overlay> {
  const refuse = (reason: string): never => {
    throw new InputError(`--overlay: ${folder} ${reason}`);
  };
  if (!(await stat(folder).catch(() => null))?.isDirectory())
    refuse('is not a folder: give the one that is published, such as ./public.');
  const names = await listFiles(folder);
  if (names.length > FILES_MAX) refuse(`holds more than ${FILES_MAX} files: give the folder that is published.`);
  const files = new Map<string, OverlayFile>();
  let rules: readonly FieldRule[] = [];
  let left = ALL_BYTES_MAX;
  for (const name of names) {
    const { size } = await stat(join(folder, name));
    left -= size;
    if (size > FILE_BYTES_MAX || left < 0) refuse(`is too large at ${name}: 2 MiB a file and 64 MiB in all are read.`);
    const body = await readFile(join(folder, name));
    if (name === FIELDS_FILE) rules = parseFieldRules(body.toString());
    else for (const path of pathsServing(`/${name}`)) files.set(path, { body, type: typeOf(name) });
  }
  if (files.size === 0 && rules.length === 0) refuse('holds no file that would be served.');
  return {
    fileAt: (pathname) => files.get(decodePath(pathname)) ?? null,
    fieldsFor: (pathname) =>
      rules.filter(({ matches }) => matches(decodePath(pathname))).flatMap(({ fields }) => fields),
  };
}

const HIDDEN = /^\.(?!well-known$)/;

/** Lists files by their path within the folder, with `/`. Stops at the first file over the limit. */
async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = ['.'];
  // A for…of over an array also visits elements pushed during the loop.
  for (const parent of folders) {
    for (const entry of await readdir(join(folder, parent), { withFileTypes: true })) {
      if (HIDDEN.test(entry.name)) continue;
      const path = posix.join(parent, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push(path);
      if (files.length > FILES_MAX) return files;
    }
  }
  return files;
}

/** Returns the media type of a file. In .well-known, a file without an extension is JSON. */
function typeOf(name: string): string {
  const extension = extname(name).toLowerCase();
  if (extension === '' && name.startsWith('.well-known/')) return 'application/json';
  return TYPES[extension] ?? 'application/octet-stream';
}

interface FieldRule {
  readonly matches: (path: string) => boolean;
  /** Names in lower case. Null removes a field. */
  readonly fields: readonly (readonly [name: string, value: string | null])[];
}

/**
 * Parses a `_headers` file: a path, then indented lines `Name: value`, or `! Name` to remove a field. `*` matches anything, and `/:name` a
 * whole segment of the path.
 * @throws InputError
 */
function parseFieldRules(text: string): readonly FieldRule[] {
  const rules: { matches: FieldRule['matches']; fields: [string, string | null][] }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      rules.push({ matches: toMatcher(content, index + 1), fields: [] });
      continue;
    }
    const [, removal, name = '', rest] = /^(! )?([!#$%&'*+.^_`|~0-9A-Za-z-]+)(:.*)?$/.exec(content) ?? [];
    const value = rest?.slice(1).trim();
    const rule = rules.at(-1);
    if (!rule || name === '' || (removal === undefined) === (value === undefined)) {
      throw new InputError(`--overlay: line ${index + 1} of _headers is neither a path nor an indented "Name: value".`);
    }
    rule.fields.push([name.toLowerCase(), value ?? null]);
  }
  return rules;
}

/** @throws InputError for more than one `*`, which hosts also refuse, since matching several could take hours */
function toMatcher(pattern: string, line: number): FieldRule['matches'] {
  const pathPattern = pattern.replace(/^https?:\/\/[^/]+/, '');
  if (pathPattern.split('*').length > 2) {
    throw new InputError(
      `--overlay: line ${line} of _headers has more than one "*". Write a rule for each path instead.`,
    );
  }
  const source = pathPattern.split(/(\*|(?<=\/):[A-Za-z]\w*(?=\/|$))/).map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  });
  const regex = new RegExp(`^${source.join('')}$`);
  return (path) => regex.test(path);
}
