import type { SaxesTagPlain } from 'saxes';
import { SaxesParser } from 'saxes';
import type { SitemapKind, SitemapProblem } from '../../evidence/sitemaps.js';
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

/** sitemaps.org's namespace, and the ones that Google used before it. */
const NAMESPACE = /^https?:\/\/(?:www\.)?(?:sitemaps\.org|google\.com)\/schemas\/sitemap\/0\.\d+\/?$/i;

/** Why reading stopped. Not an error: it exits the parser, which would otherwise continue. */
class Stop extends Error {
  constructor(readonly problem: SitemapProblem | null) {
    super('reading of a sitemap stopped');
  }
}

/**
 * Reads a sitemap or feed as XML in a stream: builds no tree, expands only XML's five predefined entities, and gives up at a
 * DOCTYPE. Namespaces are not enforced, since a missing or wrong one is only worth a note.
 */
export class SitemapXml {
  readonly #parser = new SaxesParser();
  readonly #tally: SitemapTally;
  #kind: keyof typeof ENTRIES | null = null;
  #prefixes: ReadonlySet<string> = new Set(['']);
  #depth = 0;
  #attributeCount = 0;
  /** The level of the open entry, or 0. */
  #entryDepth = 0;
  #field: 'loc' | 'lastmod' | null = null;
  /** The open entry already has a URL. */
  #isFurther = false;
  #loc = '';
  #lastmod = '';
  #tokenChars = 0;
  hasNamespace = false;
  problem: SitemapProblem | null = null;

  constructor(tally: SitemapTally) {
    this.#tally = tally;
    const parser = this.#parser;
    parser.on('error', () => this.#stop('malformed'));
    parser.on('doctype', () => this.#stop('doctype'));
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

  #open(tag: SaxesTagPlain): void {
    this.#tokenChars = 0;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) this.#stop('over_budget');
    const { prefix, local } = splitName(tag.name);
    if (this.#depth === 1) this.#openRoot(prefix, local, tag.attributes);
    else if (this.#kind !== null && this.#prefixes.has(prefix)) this.#openInside(this.#kind, local, tag);
  }

  #openRoot(prefix: string, local: string, attributes: Readonly<Record<string, string>>): void {
    const kind = KINDS.get(local);
    if (kind === undefined) this.#stop(local.toLowerCase() === 'html' ? 'html' : 'wrong_root');
    this.#kind = kind;
    const prefixes = new Set(kind === 'rss' ? [''] : [prefix]);
    for (const [name, value] of Object.entries(attributes)) {
      if (!NAMESPACE.test(value.trim())) continue;
      const bound = splitName(name);
      prefixes.add(bound.prefix === 'xmlns' ? bound.local : '');
      this.hasNamespace = true;
    }
    if (kind === 'rss' || kind === 'atom') this.hasNamespace = true;
    this.#prefixes = prefixes;
  }

  #openInside(kind: keyof typeof ENTRIES, local: string, tag: SaxesTagPlain): void {
    const entry = ENTRIES[kind];
    if (this.#entryDepth === 0 && local === entry.name && entry.depths.includes(this.#depth)) {
      this.#entryDepth = this.#depth;
      this.#loc = '';
      this.#lastmod = '';
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
    if (this.#depth !== this.#entryDepth + 1) return;
    if (this.#field === 'loc' && this.#loc.length < VALUE_CHARS_MAX) this.#loc += text;
    else if (this.#field === 'lastmod' && this.#lastmod.length < VALUE_CHARS_MAX) this.#lastmod += text;
  }

  #close(): void {
    this.#tokenChars = 0;
    if (this.#depth === this.#entryDepth + 1) this.#field = null;
    if (this.#entryDepth > 0 && this.#depth === this.#entryDepth) this.#closeEntry();
    this.#depth -= 1;
  }

  #closeEntry(): void {
    this.#entryDepth = 0;
    if (this.#kind === 'rss' || this.#kind === 'atom') this.#tally.addIfAbsolute(this.#loc);
    else this.#addEntry();
    this.#isFurther = false;
    if (this.#tally.isFull) this.#stop(null);
  }

  #addEntry(): void {
    this.#tally.add(this.#loc, this.#lastmod);
    if (this.#isFurther) this.#tally.markCrowded();
    this.#isFurther = true;
    this.#loc = '';
    this.#lastmod = '';
  }
}

function splitName(name: string): { readonly prefix: string; readonly local: string } {
  const colon = name.indexOf(':');
  return colon < 0 ? { prefix: '', local: name } : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}
