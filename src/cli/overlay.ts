import { createReadStream, realpathSync, statSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { InputError } from '../platform/errors.js';
import { decodePath, type Field, filePathOf, type Overlay } from '../scanner/client/stand-in.js';

/** File of header fields, in the format of Netlify and Cloudflare Pages. */
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

/** A path with a hidden file or folder other than .well-known, with `..`, or with a backslash, which Windows reads as `/`. */
const HIDDEN = /\/\.(?!well-known(?:\/|$))|\\/;

/**
 * Serves the files of a folder from its root, without links and hidden files. Each is read while its response is read.
 * @throws InputError
 */
export async function readOverlay(folder: string): Promise<Overlay> {
  const refuse = (reason: string): never => {
    throw new InputError(`--overlay: ${folder} ${reason}`);
  };
  if (!(await stat(folder).catch(() => null))?.isDirectory())
    refuse('is not a folder. Name the folder that you publish, such as ./public.');
  const root = await realpath(folder);
  const names = await readdir(root).catch(refuseUnreadable(root));
  if (names.every((name) => HIDDEN.test(`/${name}`))) refuse('has no file that would be served.');
  const fieldsFile = join(root, FIELDS_FILE);
  const rules = names.includes(FIELDS_FILE)
    ? parseFieldRules(await readFile(fieldsFile, 'utf8').catch(refuseUnreadable(fieldsFile)))
    : [];
  return {
    fileAt: (pathname) => {
      const path = filePathOf(pathname);
      const file = join(root, path);
      if (HIDDEN.test(path) || path === `/${FIELDS_FILE}` || !isPlainFile(file)) return null;
      return { body: streamFile(file), type: typeOf(path) };
    },
    fieldsFor: (pathname) =>
      rules.filter(({ pattern }) => pattern.test(decodePath(pathname))).flatMap(({ fields }) => fields),
  };
}

/** True for a file that is not reached through a symbolic link. On a disk that ignores case, the name must have the case of the file. */
function isPlainFile(file: string): boolean {
  try {
    return realpathSync.native(file) === file && statSync(file).isFile();
  } catch {
    return false;
  }
}

/** @throws InputError */
async function* streamFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    refuseUnreadable(file)(error);
  }
}

function refuseUnreadable(file: string) {
  return (error: unknown): never => {
    throw new InputError(`--overlay: ${file} cannot be read: ${(error as Error).message}.`);
  };
}

/** Returns the media type of a file. In .well-known, a file without an extension is JSON. */
function typeOf(path: string): string {
  const extension = extname(path).toLowerCase();
  if (extension === '' && path.startsWith('/.well-known/')) return 'application/json';
  return TYPES[extension] ?? 'application/octet-stream';
}

interface FieldRule {
  readonly pattern: RegExp;
  readonly fields: Field[];
}

/** A field to set, or one to remove. */
const FIELD_LINE = /^(?:([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)|! ([!#$%&'*+.^_`|~0-9A-Za-z-]+))$/;

/**
 * Parses a `_headers` file: a path, then indented lines `Name: value`, or `! Name` to remove a field. `*` matches anything, and `/:name` a
 * whole segment of the path. A path may have only one `*`, as on these hosts, because matching several could take hours.
 * @throws InputError
 */
function parseFieldRules(text: string): readonly FieldRule[] {
  const rules: FieldRule[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const content = line.trim();
    if (content === '' || content.startsWith('#')) continue;
    const isPath = !/^\s/.test(line);
    const [, set, value, removed] = FIELD_LINE.exec(content) ?? [];
    const name = set ?? removed;
    const rule = rules.at(-1);
    if (isPath && content.split('*').length <= 2) rules.push({ pattern: toPattern(content), fields: [] });
    else if (!isPath && rule && name !== undefined) rule.fields.push([name.toLowerCase(), value?.trim() ?? null]);
    else
      throw new InputError(
        `--overlay: line ${index + 1} of _headers is neither a path with at most one "*" nor an indented "Name: value".`,
      );
  }
  return rules;
}

function toPattern(path: string): RegExp {
  const source = path
    .replace(/^https?:\/\/[^/]+/, '')
    .replace(/[\\^$.|?+()[\]{}]/g, '\\$&')
    .replace('*', '.*')
    .replace(/(?<=\/):[A-Za-z]\w*(?=\/|$)/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
