import { decodeHTMLStrict } from 'entities';
import type { JsonLdScript, PageFacts, PageLink, TypedLink } from '../artifacts/pages.js';
import { getOrCreate } from '../../net/keyed.js';
import { PAGE_LIMITS } from '../limits.js';
import { limitBaseLength, parseHttpUrl } from './addresses.js';
import { type Attributes, type HtmlTokenHandler, readHtmlTokens } from './html-tokens.js';
import { parseMediaType } from './text.js';
import { rootOf } from './xml.js';

const JSON_LD = 'application/ld+json';
/** Inline elements do not separate words; all others do. */
const INLINE = new Set(
  `a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var
  wbr`.split(/\s+/),
);

/** Kinds of visible text. Browsers that run scripts show `scripted`; its part `outside` is neither main nor surrounding text. */
type TextPart = 'all' | 'scripted' | 'main' | 'outside' | 'noscript';
/** Elements whose text counts differently. Browsers do not show `hidden` text; `surrounding` text is about the site, not the page. */
type Region = 'main' | 'heading' | 'surrounding' | 'noscript' | 'hidden' | 'template';

const REGIONS: ReadonlyMap<string, Region> = new Map(
  Object.entries({
    main: ['main', 'article'],
    heading: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    surrounding: ['nav', 'header', 'footer', 'aside', 'button', 'select'],
    noscript: ['noscript'],
    hidden: ['script', 'style', 'title', 'iframe', 'noembed', 'noframes'],
    template: ['template'],
  }).flatMap(([part, names]) => names.map((name) => [name, part as Region] as const)),
);

/** A page with scripts, no heading and fewer words is an application shell, such as "Loading" beside a spinner. */
const SHELL_WORDS_MAX = 20;
/** A `<noscript>` text with fewer words is a request to enable scripts, not content. */
const NOSCRIPT_WORDS_MAX = 40;
/** Fewer words may be a redirect page: "Redirecting. If nothing happens, follow this link." */
const REDIRECT_WORDS_MAX = 30;

/** Script types that a browser runs (HTML standard §4.12.1.1 and the JavaScript MIME types of RFC 9239). */
const EXECUTABLE_TYPES = new Set(['module', 'text/javascript', 'application/javascript', 'text/ecmascript', '']);
/** A statement that sends the browser to another address. */
const SCRIPT_REDIRECT = /\blocation(?:\.href)?\s?=[^=]|\blocation\.(?:replace|assign)\(/;
/** A named entity of HTML or XML. */
const NAMED_ENTITY = /&[a-z][a-z0-9]{0,31};/gi;

interface PageOptions {
  /** True if one of our limits cut the page, so that an unclosed last element is not the site's fault. */
  readonly isCut?: boolean;
  /** True if the page was sent as `application/xhtml+xml`. */
  readonly isXhtml?: boolean;
}

/**
 * Reads what the checks need from an HTML page in one pass that builds no tree. `<noscript>` counts as served, since most agents run
 * no JavaScript; `<template>` is inert and does not count. XHTML that is not well-formed is read as HTML.
 */
export function parsePage(html: string, url: URL, options: PageOptions = {}): PageFacts {
  const start = html.slice(0, PAGE_LIMITS.charsMax);
  const isCut = options.isCut === true || html.length > PAGE_LIMITS.charsMax;
  // Browsers accept HTML's entities in XHTML.
  const isXhtml = options.isXhtml === true && rootOf(start.replaceAll(NAMED_ENTITY, '')) !== null;
  const reader = new PageReader(isXhtml);
  const isWhole = readHtmlTokens(start, reader, { isCut, isXhtml });
  return reader.finish(url, isCut || !isWhole, options.isXhtml === true && !isXhtml && !isCut);
}

class PageReader implements HtmlTokenHandler {
  readonly #depths: Record<Region, number> = {
    main: 0,
    heading: 0,
    surrounding: 0,
    noscript: 0,
    hidden: 0,
    template: 0,
  };
  readonly #texts: Record<TextPart, string[]> = { all: [], scripted: [], main: [], outside: [], noscript: [] };
  /** Number of word-separating tags so far. */
  #separators = 0;
  /** The same number before the last text of each part. */
  readonly #separatorsBefore: Record<TextPart, number> = { all: 0, scripted: 0, main: 0, outside: 0, noscript: 0 };
  readonly #links: string[] = [];
  readonly #headLinks: Attributes[] = [];
  readonly #metas = new Map<string, string[]>();
  readonly #jsonLd: JsonLdScript[] = [];
  #captured: { kind: 'title' | 'jsonLd' | 'script'; text: string } | null = null;
  #title: string | null = null;
  #base: string | null = null;
  #refresh: string | null = null;
  #hasHeading = false;
  #hasScript = false;
  #hasScriptFile = false;
  #hasRedirectScript = false;
  #hasOtherMarkup = false;
  #isCut = false;
  #areLinksCut = false;

  constructor(private readonly isXhtml: boolean) {}

  onOpen(name: string, attributes: Attributes, isForeign: boolean): void {
    const isInert = this.#depths.template > 0;
    this.#onTag(name, 1);
    if (isInert) return;
    if ('itemscope' in attributes || 'typeof' in attributes || 'vocab' in attributes) this.#hasOtherMarkup = true;
    if (name === 'script') this.#openScript(attributes);
    else if (name === 'a' || !isForeign) this.#readElement(name, attributes);
  }

  onClose(name: string): void {
    this.#onTag(name, -1);
    if (name === 'title' || name === 'script') this.#endCapture();
  }

  onText(text: string): void {
    const { main, heading, surrounding, noscript, hidden, template } = this.#depths;
    if (this.#captured) this.#captured.text += text;
    if (this.#captured || hidden > 0 || template > 0) return;
    this.#addText('all', text);
    if (noscript > 0) {
      this.#addText('noscript', text);
      return;
    }
    this.#addText('scripted', text);
    if (main > 0) this.#addText('main', text);
    else if (surrounding === 0) this.#addText('outside', text);
    if (heading > 0 && text.trim() !== '') this.#hasHeading = true;
  }

  #onTag(name: string, change: 1 | -1): void {
    const part = REGIONS.get(name);
    if (part !== undefined) this.#depths[part] += change;
    if (!INLINE.has(name)) this.#separators += 1;
  }

  #addText(part: TextPart, text: string): void {
    if (this.#separatorsBefore[part] !== this.#separators) this.#texts[part].push(' ');
    this.#separatorsBefore[part] = this.#separators;
    this.#texts[part].push(text);
  }

  finish(url: URL, isCut: boolean, isMalformed: boolean): PageFacts {
    // The last element of a cut page is incomplete; in a complete page, a script without its end tag still counts.
    if (isCut || isMalformed) this.#captured = null;
    this.#endCapture();
    this.#isCut ||= isCut;
    const declaredBase = parseHttpUrl(this.#base, url) ?? url;
    // If the base URL is too long, relative links are ignored.
    const base = limitBaseLength(declaredBase) === declaredBase ? declaredBase : undefined;
    const headLinks = this.#headLinks.map((attributes) => headLinkOf(attributes, base));
    const wordsIn = (part: TextPart): number => countWords(this.#texts[part].join(''));
    const wordCount = wordsIn('scripted');
    const noscriptCount = wordsIn('noscript');
    // The rest of a cut page may have more text.
    const hasLittleText = !this.#isCut && wordCount + noscriptCount < REDIRECT_WORDS_MAX;
    const isEmpty = wordCount < SHELL_WORDS_MAX && noscriptCount < NOSCRIPT_WORDS_MAX && !this.#hasHeading;
    return {
      isCut: this.#isCut,
      isMalformed,
      areLinksCut: this.#isCut || isMalformed || this.#areLinksCut || base === undefined,
      title: this.#title,
      canonical: headLinks.find((link) => link.rel.includes('canonical') && link.url !== null)?.url ?? null,
      text: this.#texts.all.join('').replaceAll(/\s+/g, ' ').trim(),
      served: {
        wordCount: wordsIn('main') || wordsIn('outside') || wordCount,
        // A malformed or cut page is never called a shell.
        isShell: this.#hasScript && !isMalformed && !this.#isCut && isEmpty,
      },
      hasLittleText,
      refresh: hasLittleText ? parseHttpUrl(this.#refresh, base) : null,
      isScriptRedirect: this.#hasRedirectScript && !this.#hasScriptFile && hasLittleText,
      links: this.#links.map((href, at): PageLink => ({ position: at + 1, url: parseHttpUrl(href, base) })),
      headLinks,
      metas: this.#metas,
      hasScript: this.#hasScript,
      jsonLd: this.#jsonLd,
      hasOtherMarkup: this.#hasOtherMarkup,
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
    else if (name === 'title') this.#captured = { kind: 'title', text: '' };
  }

  #readMeta(attributes: Attributes): void {
    const name = (attributes.name ?? attributes.property)?.trim().toLowerCase();
    const content = attributes.content;
    if (attributes['http-equiv']?.trim().toLowerCase() === 'refresh' && this.#depths.noscript === 0) {
      this.#refresh ??= instantRefresh(content ?? '');
    }
    if (!name || content === undefined) return;
    if (this.#metas.has(name) || this.#metas.size < PAGE_LIMITS.metaNamesMax)
      getOrCreate(this.#metas, name, () => []).push(content);
  }

  #openScript(attributes: Attributes): void {
    const type = (attributes.type ?? '').trim().toLowerCase();
    if (EXECUTABLE_TYPES.has(type)) {
      this.#hasScript = true;
      if ('src' in attributes) this.#hasScriptFile = true;
      this.#captured = { kind: 'script', text: '' };
    } else if (type.split(';', 1)[0]?.trim() === JSON_LD) this.#captured = { kind: 'jsonLd', text: '' };
  }

  #endCapture(): void {
    const captured = this.#captured;
    this.#captured = null;
    if (captured?.kind === 'title') this.#title ??= captured.text.replaceAll(/\s+/g, ' ').trim() || null;
    else if (captured?.kind === 'script') {
      // A longer script does more than redirect.
      this.#hasRedirectScript ||=
        captured.text.length <= PAGE_LIMITS.redirectScriptCharsMax && SCRIPT_REDIRECT.test(captured.text);
    } else if (captured && this.#jsonLd.length >= PAGE_LIMITS.jsonLdMax) this.#isCut = true;
    else if (captured)
      this.#jsonLd.push({ position: this.#jsonLd.length + 1, text: this.#decodeScript(captured.text) });
  }

  /** Decodes entities, which a script has only in XHTML and outside CDATA. */
  #decodeScript(text: string): string {
    return this.isXhtml && !text.includes('<![CDATA[') ? decodeHTMLStrict(text) : text;
  }
}

function headLinkOf(attributes: Attributes, base: URL | undefined): TypedLink {
  return {
    rel: (attributes.rel ?? '').toLowerCase().split(/\s+/).filter(Boolean),
    type: parseMediaType(attributes.type ?? null).essence,
    url: parseHttpUrl(attributes.href, base),
  };
}

/** Counts the words of a text. From the CJK characters up, words are not separated by spaces, and two characters make about one word. */
export function countWords(text: string): number {
  const spaced = text.match(/[\u0021-\u009f\u00a1-\u2e7f]+/g)?.length ?? 0;
  const unspaced = text.length - text.replaceAll(/[\u2e80-\uffff]+/g, '').length;
  return spaced + Math.ceil(unspaced / 2);
}

/** `0; url=/en/` (HTML standard, "shared declarative refresh steps"): the delay's fraction is skipped, `url=` and quotes may be missing. */
const REFRESH =
  /^\s*(?=[\d.])(\d*)(?:\.[\d.]*)?(?=[;,\s])\s*[;,]?\s*(?:url\s*=\s*)?(?:"(?<double>[^"]*)|'(?<single>[^']*)|(?<bare>.*))/is;

/** Returns the target of a refresh without delay, from the value of a header or meta element; null if there is none. */
export function instantRefresh(content: string): string | null {
  const match = REFRESH.exec(content);
  if (match === null || Number(match[1]) !== 0) return null;
  const { double, single, bare = '' } = match.groups ?? {};
  return (double ?? single ?? bare).trim() || null;
}
