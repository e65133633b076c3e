import { type SaxesTagNS, SaxesParser } from 'saxes';
import type { SitemapKind, SitemapProblem } from '../../artifacts/sitemaps.js';
import { SITEMAP_LIMITS as LIMITS } from '../../limits.js';
import type { SitemapTally } from './sitemap-tally.js';

type XmlKind = Exclude<SitemapKind, 'text'>;

/** The namespace of sitemaps.org, and Google's earlier ones. */
const NAMESPACE = /^https?:\/\/(?:www\.)?(?:sitemaps\.org|google\.com)\/schemas\/sitemap\/0\.\d+\/?$/i;

/** Root elements, each with the name of its entry elements. */
const ROOTS: ReadonlyMap<string, { readonly kind: XmlKind; readonly entryName: string }> = new Map([
  ['urlset', { kind: 'urlset', entryName: 'url' }],
  ['sitemapindex', { kind: 'index', entryName: 'sitemap' }],
  ['rss', { kind: 'rss', entryName: 'item' }],
  ['RDF', { kind: 'rss', entryName: 'item' }],
  ['feed', { kind: 'atom', entryName: 'entry' }],
]);

interface OpenEntry {
  readonly depth: number;
  /** The field whose text is being read. */
  field: 'loc' | 'lastmod' | null;
  loc: string;
  lastmod: string;
  /** True if the element had a URL before this one. */
  isExtraUrl: boolean;
}

/** Thrown to leave the parser. `problem` is null if the tally is full. */
class Stop extends Error {
  constructor(readonly problem: SitemapProblem | null) {
    super('stopped reading the sitemap');
  }
}

/**
 * Parses a sitemap or feed as an XML stream: builds no tree, and expands only XML's five predefined entities. Skips a DOCTYPE, but
 * rejects one that declares entities or attributes. Accepts undeclared prefixes.
 */
export class SitemapXml {
  readonly #parser = new SaxesParser({ xmlns: true, resolvePrefix: (prefix: string) => prefix && 'urn:undeclared' });
  #entryName = '';
  #rootPrefix = '';
  #depth = 0;
  #attributeCount = 0;
  #entry: OpenEntry | null = null;
  #tokenChars = 0;
  kind: XmlKind | null = null;
  problem: SitemapProblem | null = null;

  constructor(private readonly tally: SitemapTally) {
    const parser = this.#parser;
    let hasExternalSubset = false;
    parser.on('doctype', (text) => {
      if (/<!(?:ENTITY|ATTLIST)\b/.test(text)) throw new Stop('entities');
      hasExternalSubset = /\b(?:SYSTEM|PUBLIC)\b/.test(text);
    });
    parser.on('error', () => {
      // An external subset may declare the entity that the parser does not know.
      throw new Stop(hasExternalSubset ? 'entities' : 'malformed');
    });
    parser.on('opentagstart', ({ name }) => {
      this.#attributeCount = -1;
      this.#checkName(name);
    });
    parser.on('attribute', ({ name }) => this.#checkName(name));
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('closetag', () => this.#close());
    parser.on('text', (text) => this.#append(text));
    parser.on('cdata', (text) => this.#append(text));
    parser.on('comment', () => (this.#tokenChars = 0));
    parser.on('processinginstruction', () => (this.#tokenChars = 0));
  }

  /** The current line, from 1. */
  get line(): number {
    return this.#parser.line;
  }

  /** Returns false once parsing has stopped. */
  write(text: string): boolean {
    this.#tokenChars += text.length;
    return this.#run(() => {
      this.#parser.write(text);
      if (this.#tokenChars > LIMITS.tokenCharsMax) throw new Stop('over_budget');
    });
  }

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

  #checkName(name: string): void {
    this.#tokenChars = 0;
    this.#attributeCount += 1;
    if (name.length > LIMITS.nameCharsMax || this.#attributeCount > LIMITS.attributesMax) throw new Stop('over_budget');
  }

  #open(tag: SaxesTagNS): void {
    this.#depth += 1;
    if (this.#depth > LIMITS.depthMax) throw new Stop('over_budget');
    if (this.kind === null) this.#openRoot(tag);
    // A name without a prefix, or with the root's, is accepted in any namespace.
    else if (tag.prefix === '' || tag.prefix === this.#rootPrefix || NAMESPACE.test(tag.uri.trim()))
      this.#openChild(this.kind, tag);
  }

  #openRoot({ prefix, local }: SaxesTagNS): void {
    const root = ROOTS.get(local);
    if (root === undefined) throw new Stop(local.toLowerCase() === 'html' ? 'html' : 'wrong_root');
    this.kind = root.kind;
    this.#entryName = root.entryName;
    // RSS elements have no prefix, even if the root has one (`rdf:RDF`).
    this.#rootPrefix = root.kind === 'rss' ? '' : prefix;
  }

  #openChild(kind: XmlKind, { local, attributes }: SaxesTagNS): void {
    const entry = this.#entry;
    if (entry === null) {
      const isEntryDepth = this.#depth === 2 || (this.#depth === 3 && kind === 'rss');
      if (local === this.#entryName && isEntryDepth)
        this.#entry = { depth: this.#depth, field: null, loc: '', lastmod: '', isExtraUrl: false };
    } else if (this.#depth === entry.depth + 1) {
      if (kind === 'atom') {
        const isAlternate = (attributes.rel?.value ?? 'alternate') === 'alternate';
        if (local === 'link' && isAlternate) entry.loc ||= attributes.href?.value ?? '';
      } else if (kind === 'rss') {
        if (local === 'link' && entry.loc === '') entry.field = 'loc';
      } else if (local === 'loc') {
        // Each extra URL of an entry counts as an entry, so that no page is lost.
        if (entry.loc.trim() !== '') this.#add(entry);
        entry.field = 'loc';
      } else if (local === 'lastmod' && entry.lastmod === '') entry.field = 'lastmod';
    }
  }

  #append(text: string): void {
    this.#tokenChars = 0;
    const entry = this.#entry;
    if (!entry?.field || this.#depth !== entry.depth + 1) return;
    if (entry[entry.field].length < LIMITS.valueCharsMax) entry[entry.field] += text;
  }

  #close(): void {
    this.#tokenChars = 0;
    const entry = this.#entry;
    if (entry !== null && this.#depth === entry.depth + 1) entry.field = null;
    if (entry !== null && this.#depth === entry.depth) {
      this.#entry = null;
      if (this.kind === 'rss' || this.kind === 'atom') this.tally.addIfAbsolute(entry.loc);
      else this.#add(entry);
      if (this.tally.isFull) throw new Stop(null);
    }
    this.#depth -= 1;
  }

  #add(entry: OpenEntry): void {
    this.tally.add(entry.loc, entry.lastmod, entry.isExtraUrl);
    Object.assign(entry, { isExtraUrl: true, loc: '', lastmod: '' });
  }
}
