import { parseMediaType } from '../../parse/media-type.js';
import { decodeBody } from '../../parse/text.js';
import type { SiteResponse } from '../fetch/visit.js';

/** An answer and the path that it was asked for, which its own page or redirect may repeat. */
export interface Asked {
  readonly path: string;
  readonly response: SiteResponse;
}

/** A shorter name stands in any text by chance. */
const NAME_CHARS_MIN = 4;

/** Whether both were redirected, and to the same place: what a query says of the path asked for does not count. */
export function isSameTarget(a: Asked, b: Asked): boolean {
  return a.response.hops.length > 0 && b.response.hops.length > 0 && targetOf(a) === targetOf(b);
}

/** Whether both bodies are the same but for what changes from one request to the next. */
export function isSameBody(a: Asked, b: Asked): boolean {
  if (a.response.isOverLimit || b.response.isOverLimit) return false;
  return normaliseBody(a) === normaliseBody(b);
}

/** A control and the home page are held against many answers, and normalising a megabyte takes 30 ms. */
const normalised = new WeakMap<SiteResponse, { readonly path: string; readonly text: string }>();

/** The body as text without the path asked for, white space, numbers and long hexadecimal runs (ids, nonces, times). */
export function normaliseBody({ path, response }: Asked): string {
  const known = normalised.get(response);
  if (known?.path === path) return known.text;
  const text = normalise({ path, response });
  normalised.set(response, { path, text });
  return text;
}

function normalise({ path, response }: Asked): string {
  const { charset } = parseMediaType(response.headers.get('content-type'));
  return removeName(decodeBody(response.body, charset).text, path)
    .replaceAll(/[0-9a-f]{8,}|[0-9]+/gi, '')
    .replaceAll(/\s+/g, '');
}

function targetOf({ path, response: { url } }: Asked): string {
  return url.origin + url.pathname + removeName(url.search, path);
}

function removeName(text: string, path: string): string {
  const name = path.slice(1);
  if (name.length < NAME_CHARS_MIN) return text;
  return text.replaceAll(name, '').replaceAll(encodeURIComponent(name), '');
}
