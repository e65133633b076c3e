import type { SaxesTagPlain } from 'saxes';
import { SaxesParser } from 'saxes';
import type { SitemapKind, SitemapProblem } from '../../artifacts/sitemaps.js';
import { type Doctype, entitiesAfter, readDoctype, UNREAD } from './sitemap-doctype.js';
import { SitemapPrefixes, splitName } from './sitemap-prefixes.js';
import type { SitemapTally } from './sitemap-tally.js';

/** The deepest sitemap extension in use nests 6 elements. */
const DEPTH_MAX = 64;
const ATTRIBUTES_MAX = 64;
const NAME_CHARS_MAX = 256;
/** Most characters between two events of the parser, which buffers a text or a comment until its end. */
const TOKEN_CHARS_MAX = 1_048_576;
/** A value made of many CDATA sections is not collected beyond this: it can no longer be a URL or a date. */
const VALUE_CHARS_MAX = 16_384;

/** The name of each kind's entry element, and the levels where it may occur. */
const ENTRIES: Readonly<Record<Exclude<SitemapKind, 'text'>, { name: string; depths: readonly number[] }>> = {
  urlset: { name: 'url', depths: [2] },
  index: { name: 'sitemap', depths: [2] },
  rss: { name: 'item', depths: [2, 3] },
  atom: { name: 'entry', depths: [2] },
};
const KINDS: ReadonlyMap<string, keyof typeof ENTRIES> = new Map([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
  ['rss', 'rss'],
  ['RDF', 'rss'],
  ['feed', 'atom'],
]);

/** Why reading stopped. Not an error: it exits the parser, which would otherwise continue. */
class Stop extends Error {
  constructor(readonly problem: SitemapProblem | null) {
    super('reading of a sitemap stopped');
  }
}

/**
 * Reads a sitemap or feed as XML in a stream: builds no tree, and expands only XML's five predefined entities. Of a DOCTYPE it takes
 * the names that are declared, so that what needs them counts as unread. Namespaces are not enforced, since a missing or wrong one
 * is only worth a note.
 */
export class SitemapXml {
  readonly #parser = new SaxesParser();
  readonly #tally: SitemapTally;
  readonly #prefixes = new SitemapPrefixes();
  #kind: keyof typeof ENTRIES | null = null;
  /** The root's, which counts as its entries' even where it is undeclared or bound to something else; null for RSS. */
  #rootPrefix: string | null = null;
  #doctype: Doctype | null = null;
  #isStandalone = false;
  #depth = 0;
  #attributeCount = 0;
  /** The level of the open entry, or 0. */
  #entryDepth = 0;
  #field: 'loc' | 'lastmod' | null = null;
  /** The open entry already has a URL. */
  #isFurther = false;
  #loc = '';
  #lastmod = '';
  #isUnread = false;
  #tokenChars = 0;
  hasNamespace = false;
  /** Where a name first has a prefix that no element around it declares. */
  undeclaredPrefixLine: number | null = null;
  /** Something outside of the entries needs its DOCTYPE: perhaps more entries. */
  hidesEntries = false;
  problem: SitemapProblem | null = null;

  constructor(tally: SitemapTally) {
    this.#tally = tally;
    const parser = this.#parser;
    parser.on('error', () => this.#stop('malformed'));
    parser.on('xmldecl', ({ standalone }) => (this.#isStandalone = standalone === 'yes'));
    parser.on('doctype', (text) => this.#skipDoctype(text));
    parser.on('opentagstart', (tag) => {
      this.#attributeCount = 0;
      this.#checkName(tag.name);
    });
    parser.on('attribute', ({ name }) => {
      this.#attributeCount += 1;
      this.#checkName(name);
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    parser.on('text', (text) => this.#append(text));
    parser.on('cdata', (text) => this.#append(text));
    parser.on('comment', () => (this.#tokenChars = 0));
    parser.on('processinginstruction', () => (this.#tokenChars = 0));
  }

  get kind(): SitemapKind | null {
    return this.#kind;
  }

  get hasDoctype(): boolean {
    return this.#doctype !== null;
  }

  /** The current line, from 1. */
  get line(): number {
    return this.#parser.line;
  }

  /** Returns false once nothing more need be read. */
  write(text: string): boolean {
    this.#tokenChars += text.length;
    return this.#run(() => {
      this.#parser.write(text);
      if (this.#tokenChars > TOKEN_CHARS_MAX) this.#stop('over_budget');
    });
  }

  /** Call it at the end of the document. */
  close(): void {
    this.#run(() => this.#parser.close());
  }

  #run(step: () => void): boolean {
    try {
      step();
      return true;
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      this.problem = error.problem;
      return false;
    }
  }

  #stop(problem: SitemapProblem | null): never {
    throw new Stop(problem);
  }

  #checkName(name: string): void {
    this.#tokenChars = 0;
    if (name.length > NAME_CHARS_MAX || this.#attributeCount > ATTRIBUTES_MAX) this.#stop('over_budget');
  }

  #skipDoctype(text: string): void {
    this.#tokenChars = 0;
    const doctype = readDoctype(text);
    // A document that says it stands alone depends on nothing that is declared elsewhere (XML 1.0 §2.9).
    this.#doctype = { ...doctype, isOpen: doctype.isOpen && !this.#isStandalone };
    this.#parser.ENTITIES = entitiesAfter(this.#doctype, this.#parser.ENTITIES);
  }

  #open(tag: SaxesTagPlain): void {
    this.#tokenChars = 0;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.#stop('over_budget');
    const scope = this.#prefixes.open(tag);
    if (this.#isBoundByDoctype(scope.isUndeclared, tag)) this.hidesEntries = true;
    else if (scope.isUndeclared) this.undeclaredPrefixLine ??= this.line;
    const { prefix, local } = splitName(tag.name);
    if (this.#depth === 1) this.#openRoot(prefix, local, scope.isOurs);
    else if (this.#kind !== null && (prefix === this.#rootPrefix || this.#prefixes.isOurs(prefix))) {
      this.#openInside(this.#kind, local, tag);
    }
  }

  /** A default attribute of its element, or an entity, may bind a prefix to any namespace. */
  #isBoundByDoctype(isUndeclared: boolean, { attributes }: SaxesTagPlain): boolean {
    if (this.#doctype === null) return false;
    if (isUndeclared && (this.#doctype.hasAttributes || this.#doctype.isOpen)) return true;
    return Object.entries(attributes).some(([name, value]) => name.startsWith('xmlns') && value.includes(UNREAD));
  }

  #openRoot(prefix: string, local: string, declaresNamespace: boolean): void {
    const kind = KINDS.get(local);
    if (kind === undefined) this.#stop(local.toLowerCase() === 'html' ? 'html' : 'wrong_root');
    this.#kind = kind;
    this.#rootPrefix = kind === 'rss' ? null : prefix;
    this.hasNamespace = declaresNamespace || kind === 'rss' || kind === 'atom';
  }

  #openInside(kind: keyof typeof ENTRIES, local: string, tag: SaxesTagPlain): void {
    const entry = ENTRIES[kind];
    if (this.#entryDepth === 0 && local === entry.name && entry.depths.includes(this.#depth)) {
      this.#entryDepth = this.#depth;
      this.#loc = '';
      this.#lastmod = '';
      this.#isUnread = false;
    } else if (this.#entryDepth > 0 && this.#depth === this.#entryDepth + 1) {
      this.#openField(kind, local, tag.attributes);
    }
  }

  #openField(kind: keyof typeof ENTRIES, local: string, attributes: Readonly<Record<string, string>>): void {
    if (kind === 'atom') {
      const isAlternate = (attributes.rel ?? 'alternate') === 'alternate';
      if (local === 'link' && isAlternate && this.#loc === '') this.#loc = attributes.href ?? '';
    } else if (local === (kind === 'rss' ? 'link' : 'loc')) this.#openLoc(kind);
    else if (kind !== 'rss' && local === 'lastmod' && this.#lastmod === '') this.#field = 'lastmod';
  }

  /** An entry has one URL; if it has more, each counts as an entry, so that no page is lost. */
  #openLoc(kind: keyof typeof ENTRIES): void {
    if (kind !== 'rss' && this.#loc.trim() !== '') this.#addEntry();
    if (kind !== 'rss' || this.#loc === '') this.#field = 'loc';
  }

  #append(text: string): void {
    this.#tokenChars = 0;
    if (this.#doctype !== null && text.includes(UNREAD)) this.#noteUnread();
    if (this.#depth !== this.#entryDepth + 1) return;
    if (this.#field === 'loc' && this.#loc.length < VALUE_CHARS_MAX) this.#loc += text;
    else if (this.#field === 'lastmod' && this.#lastmod.length < VALUE_CHARS_MAX) this.#lastmod += text;
  }

  /** An entity may hold elements: between those of an entry its fields, between entries more of them. */
  #noteUnread(): void {
    if (this.#entryDepth === 0) this.hidesEntries = true;
    else if (this.#depth === this.#entryDepth || this.#field !== null) this.#isUnread = true;
  }

  #close(): void {
    this.#tokenChars = 0;
    this.#prefixes.close();
    if (this.#depth === this.#entryDepth + 1) this.#field = null;
    if (this.#entryDepth > 0 && this.#depth === this.#entryDepth) this.#closeEntry();
    this.#depth -= 1;
  }

  #closeEntry(): void {
    this.#entryDepth = 0;
    const isFeed = this.#kind === 'rss' || this.#kind === 'atom';
    if (isFeed && !this.#isUnread && !this.#loc.includes(UNREAD)) this.#tally.addIfAbsolute(this.#loc);
    else this.#addEntry();
    this.#isFurther = false;
    if (this.#tally.isFull) this.#stop(null);
  }

  #addEntry(): void {
    if (this.#isUnread || this.#loc.includes(UNREAD)) this.#tally.addUnread();
    else this.#tally.add(this.#loc, this.#lastmod);
    if (this.#isFurther) this.#tally.markCrowded();
    this.#isFurther = true;
    this.#isUnread = false;
    this.#loc = '';
    this.#lastmod = '';
  }
}
