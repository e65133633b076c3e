import { createHash, randomBytes } from 'node:crypto';
import { memoizePerObject } from '../../net/keyed.js';
import { VERSION_ACCEPT } from '../artifacts/markdown.js';
import type { FetchOptions, SiteResponse, Visit } from '../client/visit.js';
import { pageOf } from './page.js';

/** A kind of path. Responses are compared with a control: the response at a random path of the same shape, which cannot exist. */
interface Shape {
  readonly path: (name: string) => string;
  /** True for files that most sites do not have. */
  readonly isGuessed: boolean;
  /** The Accept header of clients that are not browsers, since some servers send browsers a page instead. */
  readonly accept?: string;
}

const SHAPES = {
  txt: { path: (name) => `/${name}.txt`, isGuessed: false, accept: 'text/plain, text/markdown, */*;q=0.1' },
  md: { path: (name) => `/${name}.md`, isGuessed: true, accept: VERSION_ACCEPT },
  xml: { path: (name) => `/${name}.xml`, isGuessed: false },
  json: { path: (name) => `/${name}.json`, isGuessed: true },
  'well-known': { path: (name) => `/.well-known/${name}`, isGuessed: true },
  page: { path: (name) => `/${name}`, isGuessed: false },
} as const satisfies Record<string, Shape>;
export type ControlShape = keyof typeof SHAPES;

/** The response at a path that cannot exist. Not sound if it failed in a way that says nothing about nonexistent paths. */
export type Control =
  | (PathResponse & {
      readonly isSound: true;
      /** True for a page that is an application shell. */
      readonly isShell: boolean;
    })
  | { readonly isSound: false; readonly status: number | null };

/** Number of bytes at the start of a body that show whether it is HTML. */
const KIND_BYTES = 4096;
/** Not-found pages are smaller. Echoed paths are not removed from a larger body, and a control does not store it whole. */
const ECHO_BYTES_MAX = 262_144;

/** Returns a random seed for control paths. A replay reuses it. */
export function newControlSeed(): string {
  return randomBytes(16).toString('hex');
}

/** Returns a function that derives a file name that no site has for each control: a letter and 24 hexadecimal characters. */
export function controlNames(seed: string): (control: string) => string {
  return (control) => `x${createHash('sha256').update(`${seed} ${control}`).digest('hex').slice(0, 24)}`;
}

/** Requests a path that cannot exist on this origin. */
export async function requestControl(
  visit: Visit,
  origin: URL,
  shape: ControlShape,
  name: string,
  options: FetchOptions,
): Promise<Control> {
  const path = SHAPES[shape].path(name);
  const priority = SHAPES[shape].isGuessed ? 'guesses' : 'core';
  const fetched = await visit.fetch(new URL(path, origin), { ...acceptOf(shape), priority, ...options });
  if ('failure' in fetched) return { isSound: false, status: null };
  const { response } = fetched;
  const { status, body, challenge } = response;
  if (status === 429 || status >= 500 || challenge !== null) return { isSound: false, status };
  const isShell = shape === 'page' && isShellPage(response);
  if (body.length <= ECHO_BYTES_MAX) return { isSound: true, path, response, isShell };
  // Copied, since controls live as long as the run.
  const start = Uint8Array.from(body.subarray(0, KIND_BYTES));
  return {
    isSound: true,
    path,
    response: { ...response, body: start },
    fingerprint: fingerprintOf({ path, response }),
    isShell,
  };
}

export function acceptOf(shape: ControlShape): Pick<FetchOptions, 'headers'> {
  const { accept }: Shape = SHAPES[shape];
  return accept === undefined ? {} : { headers: { accept } };
}

/** True for an application shell: a page whose content comes from scripts. */
export function isShellPage(response: SiteResponse): boolean {
  return pageOf(response)?.served.isShell === true;
}

/** A response with the requested path, which its page or redirect may echo. */
export interface PathResponse {
  readonly path: string;
  readonly response: SiteResponse;
  /** Digest of the whole body without this path, if the body itself is not stored. */
  readonly fingerprint?: string;
}

/** True if both were redirected to the same URL, ignoring an echo of the requested path in the query. */
export function isSameTarget(a: PathResponse, b: PathResponse): boolean {
  return a.response.hops.length > 0 && b.response.hops.length > 0 && targetOf(a) === targetOf(b);
}

function targetOf({ path, response: { url } }: PathResponse): string {
  return url.origin + url.pathname + removeNames(url.search, [path]);
}

/** True if both bodies are equal except for parts that change with each request. */
export function isSameBody(a: PathResponse, b: PathResponse): boolean {
  if (a.response.isOverLimit || b.response.isOverLimit) return false;
  return fingerprintOf(a, b.path) === fingerprintOf(b, a.path);
}

/** ASCII white space, digits, and long hexadecimal runs, such as ids, nonces and times. */
const VOLATILE = /[0-9a-f]{8,}|[ \t\n\v\f\r0-9]/gi;

/**
 * Returns a digest of a body without the requested path, white space, numbers and long hexadecimal runs; an empty string if nothing else
 * is left.
 * @param others further paths to remove: the menu of a not-found page may link to the missing page itself
 */
export function fingerprintOf({ path, response, fingerprint }: PathResponse, ...others: readonly string[]): string {
  if (fingerprint !== undefined) return fingerprint;
  if (response.body.length > ECHO_BYTES_MAX) return fingerprintOfLarge(response);
  return digestOf(removeNames(textOf(response), [path, ...others]));
}

/** Cached, since a large home page is compared with every link. */
const fingerprintOfLarge = memoizePerObject((response: SiteResponse) => digestOf(textOf(response)));

function textOf({ body }: SiteResponse): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
}

function digestOf(text: string): string {
  const stable = text.replace(VOLATILE, '');
  return stable === '' ? '' : createHash('sha256').update(stable, 'latin1').digest('base64');
}

/** Shorter names occur in any text by chance. */
const NAME_CHARS_MIN = 4;
/** Longer names are not removed, so a page that echoes one differs from the control. */
const NAME_CHARS_MAX = 256;
/** Number of last path segments that are searched for. Each costs a search of the whole body. */
const SEGMENTS_MAX = 4;

/** A name inside a longer word, such as "news" in "newsletter", is not removed. The digits of `%2F` are not a word. */
const ENDS_IN_WORD = /^(?!%[0-9a-f]{2}$).*[0-9a-z\x80-\xff]$/is;
const BEGINS_WITH_WORD = /^[0-9a-z\x80-\xff]/i;

/** Replaces each name until all are found, so that the text around one does not form another. */
const REMOVED = '\0';

/**
 * Removes echoes of these paths from a text in Latin-1: each whole path and its last segments, as written in a URL, decoded, encoded
 * again, and HTML-escaped.
 */
export function removeNames(text: string, paths: readonly string[]): string {
  const parts = paths.flatMap(partsOf).filter((part) => part.length <= NAME_CHARS_MAX);
  const names = [...new Set(parts.flatMap(spellingsOf))]
    .filter((name) => name.length >= NAME_CHARS_MIN)
    .map((name) => Buffer.from(name).toString('latin1'))
    .sort((a, b) => b.length - a.length);
  return names.reduce(removeName, text).replaceAll(REMOVED, '');
}

/** Searches for plain text, since a regular expression is slow on some bodies. */
function removeName(text: string, name: string): string {
  return text.replaceAll(name, (_, at: number) => {
    const before = text.slice(Math.max(0, at - 3), at);
    return ENDS_IN_WORD.test(before) || BEGINS_WITH_WORD.test(text.charAt(at + name.length)) ? name : REMOVED;
  });
}

function partsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => decode(segment).length >= NAME_CHARS_MIN);
  return [path.slice(1), ...segments.slice(-SEGMENTS_MAX)];
}

function spellingsOf(part: string): string[] {
  const decoded = decode(part);
  return [part, decoded, encodeURIComponent(decoded), encodeURIComponent(part), escapeHtml(decoded)];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
