import { parseDictionary, Token } from 'structured-headers';
import { PREFERENCE_LIMITS } from '../limits.js';

/** The categories of the vocabulary (draft-ietf-aipref-vocab-08 §4). Labels of older drafts say nothing. */
export const USAGE_LABELS = ['train-ai', 'ai-use', 'search'] as const;
export type UsageLabel = (typeof USAGE_LABELS)[number];

/** Labels of older drafts, which sites still send. */
const OLD_LABELS = ['bots', 'all', 'tdm', 'ai', 'genai', 'train-genai', 'inference', 'ai-output'];

/** A parsed Content-Usage value. */
export type UsageReading =
  | {
      readonly kind: 'read';
      /** The path that it applies to, in robots.txt only, or null. */
      readonly path: string | null;
      /** The preferences that can be acted on: a label with the Token y or n. */
      readonly preferences: ReadonlyMap<UsageLabel, 'y' | 'n'>;
      /** Only if there are none: why. */
      readonly fault: 'empty' | 'oldLabel' | 'otherValue' | 'unknownLabel';
    }
  /** Not a dictionary of RFC 9651, which makes the whole value unknown; `offset` counts bytes of the value, from 0. */
  | { readonly kind: 'broken'; readonly offset: number }
  /** Longer than is read. */
  | { readonly kind: 'cut' };

/**
 * Reads a Content-Usage value: a dictionary of RFC 9651 §3.2, in robots.txt below a path if it begins with `/`
 * (draft-ietf-aipref-attach-05). Case counts, the last of equal keys wins, parameters and unknown labels are ignored.
 */
export function parseContentUsage(value: string, mayHavePath: boolean): UsageReading {
  if (value.length > PREFERENCE_LIMITS.charsMax) return { kind: 'cut' };
  const pathEnd = mayHavePath && value.startsWith('/') ? value.search(/[ \t]|$/) : 0;
  const start = pathEnd + (/^[ \t]*/.exec(value.slice(pathEnd))?.[0].length ?? 0);
  const dictionary = readDictionary(value.slice(start));
  if (typeof dictionary === 'number') return { kind: 'broken', offset: byteLength(value.slice(0, start + dictionary)) };
  const preferences = new Map<UsageLabel, 'y' | 'n'>();
  for (const label of USAGE_LABELS) {
    const said = dictionary.get(label)?.[0];
    const token = said instanceof Token ? said.toString() : null;
    if (token === 'y' || token === 'n') preferences.set(label, token);
  }
  return { kind: 'read', path: pathEnd > 0 ? value.slice(0, pathEnd) : null, preferences, fault: faultOf(dictionary) };
}

type Dictionary = ReturnType<typeof parseDictionary>;

/** The dictionary, or the character at which the text stops being one. */
function readDictionary(text: string): Dictionary | number {
  try {
    return parseDictionary(text);
  } catch (error) {
    // The library names the place only in its message. Whatever else it throws comes from a value that it cannot decode.
    const offset = error instanceof Error ? / at offset (\d{1,5})$/.exec(error.message)?.[1] : undefined;
    return Math.min(Number(offset ?? 0), text.length);
  }
}

function faultOf(dictionary: Dictionary): 'empty' | 'oldLabel' | 'otherValue' | 'unknownLabel' {
  if (dictionary.size === 0) return 'empty';
  if (USAGE_LABELS.some((label) => dictionary.has(label))) return 'otherValue';
  return OLD_LABELS.some((label) => dictionary.has(label)) ? 'oldLabel' : 'unknownLabel';
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
