import type { JsonLdScript, PageFacts, PageLink, TypedLink } from '../artifacts/pages.js';
import { remember } from '../../net/keyed.js';
import { PAGE_LIMITS } from '../limits.js';
import { Addresses } from './addresses.js';
import { type Attributes, type HtmlTokenHandler, readHtmlTokens, readXhtmlTokens } from './html-tokens.js';
import { parseMediaType } from './media-type.js';
import { instantRefresh, movesBrowser } from './page-redirect.js';
import { ServedTextReader } from './served-text.js';

/** White space other than a single space. */
const UNFOLDED = /[^\S ]\s*| \s+/g;
const JSON_LD = 'application/ld+json';
/** Elements whose text readers do not see. */
const UNSEEN = new Set(['script', 'style', 'title', 'template', 'iframe', 'noembed', 'noframes']);
/** Inline elements do not separate words; all others do. */
const INLINE = new Set(
  `a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var
  wbr`.split(/\s+/),
);
/** Script types that a browser runs (HTML standard §4.12.1.1 and the JavaScript MIME types of RFC 9239). */
const RUNNING_TYPES = new Set(['module', 'text/javascript', 'application/javascript', 'text/ecmascript', '']);

/** WebMCP in a script (draft of September 2026). */
const WEB_MCP = /\bdocument\s*(?:\?\.|\.)\s*modelContext\b/;

interface PageOptions {
  /** One of our limits cut the page, so an unclosed last element is not a fault of the site. */
  readonly isCut?: boolean;
  /** It was sent as `application/xhtml+xml`. */
  readonly isXhtml?: boolean;
}

/**
 * Reads what the checks need from an HTML page in one pass that builds no tree. `<noscript>` counts as served, since most agents run
 * no JavaScript; `<template>` is inert and does not count. XHTML that is not well-formed is read as HTML.
 */
export function parsePage(html: string, url: URL, options: PageOptions = {}): PageFacts {
  const start = html.slice(0, PAGE_LIMITS.charsMax);
  const isCut = options.isCut === true || html.length > PAGE_LIMITS.charsMax;
  if (options.isXhtml === true) {
    const reader = new PageReader();
    if (readXhtmlTokens(start, reader)) return reader.finish(url, { isCut, isMalformed: false });
  }
  const reader = new PageReader();
  const isWhole = readHtmlTokens(start, reader, isCut);
  return reader.finish(url, { isCut: isCut || !isWhole, isMalformed: options.isXhtml === true && !isCut });
}

class PageReader implements HtmlTokenHandler {
  readonly #served = new ServedTextReader();
  readonly #links: string[] = [];
  readonly #headLinks: Attributes[] = [];
  readonly #metas = new Map<string, string[]>();
  readonly #jsonLd: JsonLdScript[] = [];
  /** Open elements whose text readers do not see, and those of them that are templates. */
  #unseenDepth = 0;
  #templateDepth = 0;
  #captured: { kind: 'title' | 'jsonLd' | 'script'; text: string } | null = null;
  #title: string | null = null;
  #base: string | null = null;
  #refresh: string | null = null;
  #hasScript = false;
  #hasScriptFile = false;
  #hasMovingScript = false;
  #hasOtherMarkup = false;
  #hasWebMcp = false;
  #isCut = false;
  #areLinksCut = false;

  onOpen(name: string, attributes: Attributes, isForeign: boolean): void {
    this.#onTag(name);
    this.#served.onOpen(name);
    const isInert = this.#templateDepth > 0;
    if (UNSEEN.has(name)) this.#unseenDepth += 1;
    if (name === 'template') this.#templateDepth += 1;
    if (isInert) return;
    if ('itemscope' in attributes || 'typeof' in attributes || 'vocab' in attributes) this.#hasOtherMarkup = true;
    if (name === 'script') this.#openScript(attributes);
    else if (name === 'a' || !isForeign) this.#readElement(name, attributes);
  }

  onClose(name: string): void {
    this.#onTag(name);
    this.#served.onClose(name);
    if (!UNSEEN.has(name)) return;
    if (name === 'title' || name === 'script') this.#endCapture();
    this.#unseenDepth -= 1;
    if (name === 'template') this.#templateDepth -= 1;
  }

  onText(text: string): void {
    if (this.#captured) this.#captured.text += text;
    else if (this.#unseenDepth === 0) this.#served.onText(text);
  }

  #onTag(name: string): void {
    if (!INLINE.has(name)) this.#served.onBoundary();
  }

  finish(url: URL, { isCut, isMalformed }: Pick<PageFacts, 'isCut' | 'isMalformed'>): PageFacts {
    // The last element of a cut page is incomplete; in a complete page, a script without its end tag still counts.
    if (isCut || isMalformed) this.#captured = null;
    this.#endCapture();
    this.#isCut ||= isCut;
    const base = (this.#base === null ? null : new Addresses(url).resolve(this.#base)) ?? url;
    const addresses = new Addresses(base);
    const headLinks = this.#headLinks.map((attributes) => headLinkOf(attributes, addresses));
    const links = this.#links.map((href, at): PageLink => ({ position: at + 1, url: addresses.resolve(href) }));
    // A malformed page is never called a shell.
    const { text, served, isBare } = this.#served.finish(this.#hasScript && !isMalformed);
    return {
      isCut: this.#isCut,
      isMalformed,
      areLinksCut: this.#isCut || isMalformed || this.#areLinksCut || addresses.isCut,
      title: this.#title,
      canonical: headLinks.find((link) => link.rel.includes('canonical') && link.url !== null)?.url ?? null,
      text: text.replaceAll(UNFOLDED, ' ').trim(),
      served,
      isBare,
      refresh: this.#refresh !== null && isBare ? addresses.resolve(this.#refresh) : null,
      isScriptRedirect: this.#hasMovingScript && !this.#hasScriptFile && isBare,
      links,
      headLinks,
      metas: this.#metas,
      hasScript: this.#hasScript,
      jsonLd: this.#jsonLd,
      hasOtherMarkup: this.#hasOtherMarkup,
      hasWebMcp: this.#hasWebMcp,
    };
  }

  #readElement(name: string, attributes: Attributes): void {
    const href = attributes.href;
    if (name === 'a' && href !== undefined) {
      if (this.#links.length < PAGE_LIMITS.linksMax) this.#links.push(href);
      else this.#areLinksCut = true;
    } else if (name === 'link' && href !== undefined) {
      if (this.#headLinks.length < PAGE_LIMITS.headLinksMax) this.#headLinks.push(attributes);
      else this.#areLinksCut = true;
    } else if (name === 'meta') this.#readMeta(attributes);
    else if (name === 'base' && href !== undefined) this.#base ??= href;
    else if (name === 'form' && 'toolname' in attributes) this.#hasWebMcp = true;
    else if (name === 'title') this.#captured = { kind: 'title', text: '' };
  }

  #readMeta(attributes: Attributes): void {
    const name = (attributes.name ?? attributes.property)?.trim().toLowerCase();
    const content = attributes.content;
    if (attributes['http-equiv']?.trim().toLowerCase() === 'refresh' && !this.#served.isInNoscript) {
      this.#refresh ??= instantRefresh(content ?? '');
    }
    if (!name || content === undefined) return;
    if (this.#metas.has(name) || this.#metas.size < PAGE_LIMITS.metaNamesMax)
      remember(this.#metas, name, () => []).push(content);
  }

  #openScript(attributes: Attributes): void {
    const type = (attributes.type ?? '').trim().toLowerCase();
    if (parseMediaType(type).essence === JSON_LD) this.#captured = { kind: 'jsonLd', text: '' };
    else if (RUNNING_TYPES.has(type)) {
      this.#hasScript = true;
      if ('src' in attributes) this.#hasScriptFile = true;
      this.#captured = { kind: 'script', text: '' };
    }
  }

  #endCapture(): void {
    const captured = this.#captured;
    this.#captured = null;
    if (captured?.kind === 'title') this.#title ??= captured.text.replaceAll(/\s+/g, ' ').trim() || null;
    else if (captured?.kind === 'script') {
      this.#hasWebMcp ||= WEB_MCP.test(captured.text);
      this.#hasMovingScript ||= movesBrowser(captured.text);
    } else if (captured && this.#jsonLd.length >= PAGE_LIMITS.jsonLdMax) this.#isCut = true;
    else if (captured) this.#jsonLd.push({ position: this.#jsonLd.length + 1, text: captured.text });
  }
}

function headLinkOf(attributes: Attributes, addresses: Addresses): TypedLink {
  return {
    rel: (attributes.rel ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    type: parseMediaType(attributes.type ?? null).essence,
    url: addresses.resolve(attributes.href ?? ''),
  };
}
