/** What a document type declaration may declare (XML 1.0 §2.8). It is scanned for names: nothing in it is expanded or fetched. */
export interface Doctype {
  /** The general entities that its internal subset declares. */
  readonly entities: ReadonlySet<string>;
  /** An external subset or a parameter entity may declare more (§4.1, "Entity Declared"). */
  readonly isOpen: boolean;
  /** It gives elements attributes that they do not carry themselves: perhaps namespaces. */
  readonly hasAttributes: boolean;
}

/** More than any document type has; those after it count as if they were declared elsewhere. */
const ENTITIES_MAX = 10_000;

const TOKENS =
  /<!--|-->|<\?|\?>|["'[]|<!ENTITY(?:\s{1,64}([^\s"'<>%&;]{1,256}))?|<!ATTLIST|%[^\s%&;"'<>]{1,256};|\b(?:SYSTEM|PUBLIC)\b/g;
const CLOSERS: Readonly<Record<string, string>> = { '<!--': '-->', '<?': '?>', '"': '"', "'": "'" };

/** Scans what stands between `<!DOCTYPE` and its `>`. */
export function readDoctype(text: string): Doctype {
  const entities = new Set<string>();
  let isOpen = false;
  let hasAttributes = false;
  let isInSubset = false;
  /** What ends the comment, instruction or literal that the scan is in. */
  let closer: string | null = null;
  for (const [token, name] of text.matchAll(TOKENS)) {
    if (closer !== null) {
      if (token === closer) closer = null;
      continue;
    }
    closer = CLOSERS[token] ?? null;
    if (token === '[') isInSubset = true;
    else if (token === '<!ATTLIST') hasAttributes = true;
    else if (name !== undefined && entities.size < ENTITIES_MAX) entities.add(name);
    // An entity whose name is not seen is a parameter entity, which counts where it is used, or one past the limits.
    else if (token.startsWith('<!ENTITY')) isOpen ||= name !== undefined;
    else if (token.startsWith('%')) isOpen = true;
    else if (!isInSubset && (token === 'SYSTEM' || token === 'PUBLIC')) isOpen = true;
  }
  return { entities, isOpen, hasAttributes };
}

/** Stands for the text of an entity that is not expanded: XML allows this character nowhere, not even as a reference (§2.2). */
export const UNREAD = '\uFFFF';

const NAME = /^[\p{L}_:][\p{L}\p{M}\p{N}\-._:·]*$/u;

/**
 * An XML reader's table of entities after this declaration: {@link UNREAD} stands for each that it declares, or that something else may
 * declare for it.
 */
export function entitiesAfter(
  { entities, isOpen }: Doctype,
  predefined: Readonly<Record<string, string>>,
): Record<string, string> {
  return new Proxy<Record<string, string>>(predefined, {
    get: (known, name) => {
      if (typeof name !== 'string') return undefined;
      return known[name] ?? (entities.has(name) || (isOpen && NAME.test(name)) ? UNREAD : undefined);
    },
  });
}
