/** sitemaps.org's namespace, and the ones that Google used before it. */
const NAMESPACE = /^https?:\/\/(?:www\.)?(?:sitemaps\.org|google\.com)\/schemas\/sitemap\/0\.\d+\/?$/i;

/** Bound without a declaration (Namespaces in XML §3). */
const PREDECLARED: ReadonlySet<string> = new Set(['xml', 'xmlns']);

/** A start tag as an XML reader without namespaces sees it. */
interface XmlTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface OpenedScope {
  /** The element declares sitemaps.org's namespace. */
  readonly isOurs: boolean;
  /** Its name, or that of an attribute, has a prefix that nothing around it declares: strict readers refuse the document (§5). */
  readonly isUndeclared: boolean;
}

/**
 * The namespace prefixes in scope (Namespaces in XML 1.0 §6.1): any element may declare one for itself and what it contains. Names
 * without a prefix always count as those of sitemaps.org, since a missing or wrong namespace is only worth a note.
 */
export class SitemapPrefixes {
  /** By prefix, whether each declaration in scope binds it to sitemaps.org's namespace, the innermost last. */
  readonly #bindings = new Map<string, boolean[]>();
  /** The prefixes that each open element declares; null if none, as for nearly all. */
  readonly #declared: (readonly string[] | null)[] = [];

  /** An element begins: its attributes may declare prefixes, for its own name too. */
  open(tag: XmlTag): OpenedScope {
    const isOurs = this.#declare(tag.attributes);
    let isUndeclared = !this.#isDeclared(tag.name);
    for (const name in tag.attributes) isUndeclared ||= !this.#isDeclared(name);
    return { isOurs, isUndeclared };
  }

  /** Returns whether it declares sitemaps.org's namespace. */
  #declare(attributes: XmlTag['attributes']): boolean {
    let declared: string[] | null = null;
    let isOurs = false;
    for (const name in attributes) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
      const isSitemaps = NAMESPACE.test((attributes[name] ?? '').trim());
      isOurs ||= isSitemaps;
      if (name === 'xmlns') continue;
      const { local: prefix } = splitName(name);
      const bindings = this.#bindings.get(prefix) ?? [];
      bindings.push(isSitemaps);
      this.#bindings.set(prefix, bindings);
      (declared ??= []).push(prefix);
    }
    this.#declared.push(declared);
    return isOurs;
  }

  /** The last element that began has ended. */
  close(): void {
    for (const prefix of this.#declared.pop() ?? []) {
      const bindings = this.#bindings.get(prefix);
      bindings?.pop();
      if (bindings?.length === 0) this.#bindings.delete(prefix);
    }
  }

  #isDeclared(name: string): boolean {
    if (!name.includes(':')) return true;
    const { prefix } = splitName(name);
    return this.#bindings.has(prefix) || PREDECLARED.has(prefix);
  }

  /** Whether a name with this prefix is one of sitemaps.org. */
  isOurs(prefix: string): boolean {
    return prefix === '' || this.#bindings.get(prefix)?.at(-1) === true;
  }
}

export function splitName(name: string): { readonly prefix: string; readonly local: string } {
  const colon = name.indexOf(':');
  return colon < 0 ? { prefix: '', local: name } : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}
