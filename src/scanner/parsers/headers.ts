import { parseDictionary, Token } from 'structured-headers';
import type { Home, TypedLink } from '../artifacts/pages.js';
import { PREFERENCE_LIMITS as LIMITS } from '../limits.js';

/** The signals that Content-Signal defines (contentsignals.org). */
export const CONTENT_SIGNALS = ['search', 'ai-input', 'ai-train'] as const;
export type ContentSignal = (typeof CONTENT_SIGNALS)[number];

export interface ContentSignals {
  /** The path that it applies to, or null. */
  readonly path: string | null;
  /** Every `name=value` in source order, both in lower case. */
  readonly signals: readonly { readonly name: string; readonly value: string }[];
  readonly isUsable: boolean;
  /** False if the value is so long that only its start was read. */
  readonly isWhole: boolean;
}

/**
 * Reads a Content-Signal (contentsignals.org): `search=yes, ai-train=no`, optionally after a path. The experimental `use` is read like
 * any other name, but agents cannot act on it.
 */
export function parseContentSignal(value: string): ContentSignals {
  const trimmed = value.slice(0, LIMITS.charsMax).trim();
  const isCut = value.length > LIMITS.charsMax;
  const end = trimmed.startsWith('/') ? trimmed.search(/\s|$/) : 0;
  const items = splitOutsideQuotes(trimmed.slice(end), ',');
  // A truncated last item might mean something else.
  if (isCut) items.pop();
  const signals = items.slice(0, LIMITS.signalsMax).flatMap((item) => {
    const [name = '', ...rest] = (splitOutsideQuotes(item, ';')[0] ?? '').toLowerCase().split('=');
    return name.trim() === '' ? [] : [{ name: name.trim(), value: rest.join('=').trim() }];
  });
  return {
    path: end > 0 ? trimmed.slice(0, end) : null,
    signals,
    isUsable: signals.some(
      (signal) => CONTENT_SIGNALS.some((name) => name === signal.name) && /^(?:yes|no)$/.test(signal.value),
    ),
    isWhole: !isCut && items.length <= LIMITS.signalsMax,
  };
}

/** The categories of the vocabulary (draft-ietf-aipref-vocab-08 §4). Labels of older drafts are ignored. */
const USAGE_LABELS = ['train-ai', 'ai-use', 'search'] as const;
type UsageLabel = (typeof USAGE_LABELS)[number];

export type UsageReading =
  | {
      readonly kind: 'read';
      /** The path that it applies to, in robots.txt only, or null. */
      readonly path: string | null;
      /** The preferences that can be acted on: a label with the Token y or n. */
      readonly preferences: ReadonlyMap<UsageLabel, 'y' | 'n'>;
    }
  /** broken: not a dictionary of RFC 9651, which makes the whole value unknown. cut: longer than our limit. */
  | { readonly kind: 'broken' | 'cut' };

/**
 * Reads a Content-Usage value: a dictionary (RFC 9651 §3.2), in robots.txt after an optional path (draft-ietf-aipref-attach-05). Case
 * matters, the last of equal keys wins, parameters and unknown labels are ignored.
 */
export function parseContentUsage(value: string, mayHavePath: boolean): UsageReading {
  if (value.length > LIMITS.charsMax) return { kind: 'cut' };
  const pathEnd = mayHavePath && value.startsWith('/') ? value.search(/[ \t]|$/) : 0;
  const preferences = new Map<UsageLabel, 'y' | 'n'>();
  try {
    const dictionary = parseDictionary(value.slice(pathEnd).replace(/^[ \t]+/, ''));
    for (const label of USAGE_LABELS) {
      const preference = dictionary.get(label)?.[0];
      const token = preference instanceof Token ? preference.toString() : null;
      if (token === 'y' || token === 'n') preferences.set(label, token);
    }
  } catch {
    return { kind: 'broken' };
  }
  return { kind: 'read', path: pathEnd > 0 ? value.slice(0, pathEnd) : null, preferences };
}

/** Reads `Link` header fields (RFC 8288 §3), whose length the header limit bounds; targets are resolved against `base`. */
export function parseLinkHeaders(values: readonly string[], base: URL): TypedLink[] {
  return values
    .flatMap((value) => splitOutsideQuotes(value, ','))
    .map((value) => toLinkHeader(value.trim(), base))
    .filter((link) => link !== null);
}

function toLinkHeader(value: string, base: URL): TypedLink | null {
  const close = value.indexOf('>');
  if (!value.startsWith('<') || close < 0) return null;
  const parameters = new Map<string, string>();
  for (const part of splitOutsideQuotes(value.slice(close + 1), ';')) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    // The first of two parameters with the same name counts (RFC 8288 §3.3).
    if (equals >= 0 && !parameters.has(name)) parameters.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return {
    rel: (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    type: parameters.get('type')?.toLowerCase() ?? null,
    url: URL.parse(value.slice(1, close).trim(), base),
  };
}

function unquote(value: string): string {
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value;
  return value.slice(1, -1).replaceAll(/\\(.)/g, '$1');
}

/** A quoted string, text between `<` and `>`, or one character. */
const PIECES = /"(?:\\[^]|[^"\\])*"?|<[^>]*>?|[^"<]/g;

/** Splits at separators outside quotes and `<…>`. Omits empty parts. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === separator) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${piece}`);
  }
  return parts.filter(Boolean);
}

const RESOURCE_METADATA = /\bresource_metadata\s{0,9}=\s{0,9}"?([^\s",]{1,2048})/gi;

/** Returns the addresses of protected resource metadata in a `WWW-Authenticate` field (RFC 9728 §5.1). */
export function parseResourceMetadata(value: string | null, base: URL): URL[] {
  const addresses = Array.from((value ?? '').matchAll(RESOURCE_METADATA), ([, address = '']) => address);
  return addresses.flatMap((address) => URL.parse(address, base) ?? []);
}

const NOINDEX_DIRECTIVES = new Set(['noindex', 'none']);
/** In `googlebot: noindex`, the colon follows a crawler's name, but these directives contain one themselves. */
const DIRECTIVES_WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * True if an `X-Robots-Tag` value keeps the page out of search indexes: for every crawler, or for one of `crawlers` (names in
 * lower case). A crawler's name applies to the directives after it (Google, "Robots meta tag specifications").
 */
export function isUnindexedByTag(value: string, crawlers: ReadonlySet<string>): boolean {
  let isInScope = true;
  for (const part of value.toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim();
    if (colon >= 0 && !DIRECTIVES_WITH_VALUE.has(name)) isInScope = crawlers.has(name);
    const directive = part.slice(DIRECTIVES_WITH_VALUE.has(name) ? 0 : colon + 1).trim();
    if (isInScope && NOINDEX_DIRECTIVES.has(directive)) return true;
  }
  return false;
}

/** True if the content of a robots meta element keeps the page out of search indexes. */
export function isUnindexedByMeta(content: string): boolean {
  return content
    .toLowerCase()
    .split(/[\s,]+/)
    .some((directive) => NOINDEX_DIRECTIVES.has(directive));
}

/** True if the home page says `noai` in an `X-Robots-Tag` or a robots meta element, a convention that DeviantArt introduced. */
export function saysNoAi({ robotsTags, page }: Home): boolean {
  return [...robotsTags, ...(page?.metas.get('robots') ?? [])].some((content) =>
    /(?:^|[\s,:])no(?:image)?ai(?:$|[\s,:])/i.test(content),
  );
}
