import { parseDictionary, Token } from 'structured-headers';
import { PREFERENCE_LIMITS } from '../limits.js';

/** The categories of the vocabulary (draft-ietf-aipref-vocab-08 §4). Labels of older drafts say nothing. */
const USAGE_LABELS = ['train-ai', 'ai-use', 'search'] as const;
type UsageLabel = (typeof USAGE_LABELS)[number];

/** A parsed Content-Usage value. */
export type UsageReading =
  | {
      readonly kind: 'read';
      /** The path that it applies to, in robots.txt only, or null. */
      readonly path: string | null;
      /** The preferences that can be acted on: a label with the Token y or n. */
      readonly preferences: ReadonlyMap<UsageLabel, 'y' | 'n'>;
    }
  /** broken: not a dictionary of RFC 9651, which makes the whole value unknown. cut: longer than is read. */
  | { readonly kind: 'broken' | 'cut' };

/**
 * Reads a Content-Usage value: a dictionary of RFC 9651 §3.2, in robots.txt below a path if it begins with `/`
 * (draft-ietf-aipref-attach-05). Case counts, the last of equal keys wins, parameters and unknown labels are ignored.
 */
export function parseContentUsage(value: string, mayHavePath: boolean): UsageReading {
  if (value.length > PREFERENCE_LIMITS.charsMax) return { kind: 'cut' };
  const pathEnd = mayHavePath && value.startsWith('/') ? value.search(/[ \t]|$/) : 0;
  const preferences = new Map<UsageLabel, 'y' | 'n'>();
  try {
    const dictionary = parseDictionary(value.slice(pathEnd).replace(/^[ \t]+/, ''));
    for (const label of USAGE_LABELS) {
      const said = dictionary.get(label)?.[0];
      const token = said instanceof Token ? said.toString() : null;
      if (token === 'y' || token === 'n') preferences.set(label, token);
    }
  } catch {
    return { kind: 'broken' };
  }
  return { kind: 'read', path: pathEnd > 0 ? value.slice(0, pathEnd) : null, preferences };
}
