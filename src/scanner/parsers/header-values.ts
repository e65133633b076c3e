import type { TypedLink } from '../artifacts/pages.js';
import { PREFERENCE_LIMITS as LIMITS } from '../limits.js';

/** The signals that Content-Signal defines (contentsignals.org). */
export const CONTENT_SIGNALS = ['search', 'ai-input', 'ai-train'] as const;
export type ContentSignal = (typeof CONTENT_SIGNALS)[number];

/** A parsed Content-Signal value. */
export interface ContentSignals {
  /** The path that it applies to, or null. */
  readonly path: string | null;
  /** Every `name=value` in source order, both in lower case. */
  readonly signals: readonly { readonly name: string; readonly value: string }[];
  /** True if at least one signal is a preference that a reader can act on. */
  readonly isUsable: boolean;
  /** False if the value is so long that only its start was read. */
  readonly isWhole: boolean;
}

/**
 * Reads a Content-Signal (contentsignals.org): `search=yes, ai-train=no`, perhaps behind a path. The experimental `use` is read like
 * any other name, and is not a preference that a reader can act on.
 */
export function parseContentSignal(value: string): ContentSignals {
  const trimmed = value.slice(0, LIMITS.charsMax).trim();
  const isCut = value.length > LIMITS.charsMax;
  const end = trimmed.startsWith('/') ? trimmed.search(/\s|$/) : 0;
  const items = splitOutsideQuotes(trimmed.slice(end), ',');
  // A truncated last item would say something else.
  if (isCut) items.pop();
  const signals = items
    .slice(0, LIMITS.signalsMax)
    .map((item) => splitOutsideQuotes(item, ';')[0] ?? '')
    .map(toSignal)
    .filter((signal) => signal.name !== '');
  return {
    path: end > 0 ? trimmed.slice(0, end) : null,
    signals,
    isUsable: signals.some((signal) => isUsableSignal(signal)),
    isWhole: !isCut && items.length <= LIMITS.signalsMax,
  };
}

/** Reads `Link` header fields (RFC 8288 §3), whose length the header limit bounds; targets are resolved against `base`. */
export function parseLinkHeaders(values: readonly string[], base: URL): TypedLink[] {
  return values
    .flatMap((value) => splitOutsideQuotes(value, ','))
    .map((value) => toLinkHeader(value.trim(), base))
    .filter((link) => link !== null);
}

const RESOURCE_METADATA = /\bresource_metadata\s{0,9}=\s{0,9}"?([^\s",]{1,2048})/gi;

/** Returns the addresses of protected resource metadata in a `WWW-Authenticate` field (RFC 9728 §5.1). */
export function parseResourceMetadata(value: string | null, base: URL): URL[] {
  const addresses = Array.from((value ?? '').matchAll(RESOURCE_METADATA), ([, address = '']) => address);
  return addresses.flatMap((address) => URL.parse(address, base) ?? []);
}

/** Splits `name=value`, both in lower case. */
function toSignal(item: string): { name: string; value: string } {
  const [name = '', ...value] = item.toLowerCase().split('=');
  return { name: name.trim(), value: value.join('=').trim() };
}

function isUsableSignal({ name, value }: { name: string; value: string }): boolean {
  return (CONTENT_SIGNALS as readonly string[]).includes(name) && (value === 'yes' || value === 'no');
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

/** Leaves out empty parts. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(PIECES)) {
    if (piece === separator) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${piece}`);
  }
  return parts.filter(Boolean);
}
