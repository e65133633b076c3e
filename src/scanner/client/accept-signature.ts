import { isInnerList, type Item, parseDictionary, type Parameters } from 'structured-headers';

/** The tag of signatures by which a program names itself: draft-ietf-webbotauth-httpsig-protocol. */
export const BOT_TAG = 'web-bot-auth';

/** A signature that a site asks for (RFC 9421 §5.1). */
export interface AskedSignature {
  readonly label: string;
  /** Names of components, without those of `signature-agent`. */
  readonly components: readonly string[];
  readonly nonce: string | null;
}

const FIELD_CHARS_MAX = 2048;
const LABEL_CHARS_MAX = 64;
const NONCE_CHARS_MAX = 256;

/**
 * The first signature of a field that we can make: of a program that names itself, with our key or any, over `known` components. Null where
 * there is none, or the field is not well-formed.
 */
export function readAcceptSignature(field: string, keyId: string, known: ReadonlySet<string>): AskedSignature | null {
  if (field.length > FIELD_CHARS_MAX) return null;
  try {
    for (const [label, member] of parseDictionary(field)) {
      if (!isInnerList(member) || label.length > LABEL_CHARS_MAX) continue;
      const [items, parameters] = member;
      const names = namesOf(items);
      if (!asksForOurs(parameters, keyId) || !names?.every((name) => known.has(name))) continue;
      const nonce = parameters.get('nonce');
      return {
        label,
        components: names,
        nonce: typeof nonce === 'string' ? nonce : null,
      };
    }
  } catch {
    // Whatever the site has written there, it asks for nothing that we can make.
  }
  return null;
}

/** Null where one has parameters, which we do not know. */
function namesOf(items: readonly Item[]): readonly string[] | null {
  const names = items.flatMap(([name, parameters]) => {
    if (name === 'signature-agent') return [];
    return typeof name === 'string' && parameters.size === 0 ? [name] : [null];
  });
  const known = names.filter((name) => name !== null);
  return known.length === names.length ? known : null;
}

function asksForOurs(parameters: Parameters, keyId: string): boolean {
  const isFree = (name: string, value: string) => !parameters.has(name) || parameters.get(name) === value;
  const nonce = parameters.get('nonce');
  const isNonceShort = nonce === undefined || (typeof nonce === 'string' && nonce.length <= NONCE_CHARS_MAX);
  return parameters.get('tag') === BOT_TAG && isFree('keyid', keyId) && isFree('alg', 'ed25519') && isNonceShort;
}
