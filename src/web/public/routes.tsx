import { readFileSync } from 'node:fs';
import { redirectPermanently } from '../../platform/http/answer.js';
import { type AddRoutes, type Page, PRODUCT, type WebContext } from '../server/page.js';
import { ADDRESSES, failureHref, markdownPathOf, PUBLIC_PAGES, type PublicPage, TYPES } from '../server/paths.js';
import { paramOf, sendConstantPage } from '../server/routes.js';
import { sendDocument } from '../server/send-text.js';
import { checksPage } from './checks.js';
import { failurePage, findFailure } from './failure-page.js';
import { homePage } from './home-page.js';
import { type PublicDeps, formatPage, longPage, type PageText } from './long-page.js';
import { referenceText } from './reference.js';
import { aboutText, privacyText } from './texts.js';
import { toMarkdown } from './to-markdown.js';

/** Paths of pages that were merged into others. */
const MOVED: Readonly<Record<string, string>> = {
  '/reference': PUBLIC_PAGES.api.path,
  '/sample': PUBLIC_PAGES.home.path,
  '/standards': PUBLIC_PAGES.checks.path,
  '/status': PUBLIC_PAGES.about.path,
};

/** The public pages: HTML for browsers, Markdown for clients that ask for it. */
export const addPublicRoutes: AddRoutes = (router, deps) => {
  const { checks, publicUrl } = deps;
  for (const { page, content, markdown } of publicContent(deps)) {
    const { title, description } = page;
    const head = <StructuredData nodes={pageEntities(page, publicUrl)} />;
    const markdownPath = markdownPathOf(page);
    router.get(page.path, (ctx) => {
      ctx.set('Link', pageLinks(page));
      if (prefersMarkdown(ctx)) sendMarkdown(ctx, markdown());
      else sendConstantPage(ctx, page.path, () => ({ title, description, markdownPath, head, ...content() }));
    });
    router.get(markdownPath, (ctx) => {
      ctx.set('Link', `${pageLinks(page)}, <${page.path}>; rel="canonical"`);
      sendMarkdown(ctx, markdown());
    });
  }

  router.get('/checks/:checkId/:errorType', (ctx) => {
    const [checkId, errorType] = [paramOf(ctx, 'checkId'), paramOf(ctx, 'errorType')];
    const found = findFailure(checks, checkId, errorType);
    const { headline: title } = found.failure;
    const make = () => ({ title, description: `${title}: how to fix it, with an example.`, ...failurePage(found) });
    if (!prefersMarkdown(ctx)) {
      sendConstantPage(ctx, failureHref(checkId, errorType), make);
      return;
    }
    sendMarkdown(ctx, toMarkdown(make(), publicUrl));
  });

  for (const [from, to] of Object.entries(MOVED)) router.get(from, (ctx) => redirectPermanently(ctx, to));
};

/** Links of the home page to documents for agents (RFC 8288, RFC 8631, RFC 9727 §3, ARD 0.91 §4). */
const HOME_LINKS = [
  `<${ADDRESSES.ard}>; rel="ard"; type="${TYPES.json}"`,
  `<${ADDRESSES.apiCatalog}>; rel="api-catalog"`,
  `<${ADDRESSES.openApi}>; rel="service-desc"; type="${TYPES.json}"`,
  `<${PUBLIC_PAGES.api.path}>; rel="service-doc"; type="text/html"`,
];

/** The Link header of a public page: the llms.txt that covers it, and the page as Markdown (llms.txt v2, "Discovery"). */
function pageLinks(page: PublicPage): string {
  return [
    `<${ADDRESSES.llms}>; rel="describedby"; type="text/plain"`,
    `<${markdownPathOf(page)}>; rel="alternate"; type="text/markdown"`,
    ...(page.path === PUBLIC_PAGES.home.path ? HOME_LINKS : []),
  ].join(', ');
}

const HTML_TYPE = 'text/html; charset=utf-8';

/**
 * True if the client names Markdown and prefers it to HTML (RFC 9110 §12.5.1). Both types have their charset here, so that a client that
 * asks for `text/markdown; charset=utf-8` gets it. Sets Vary.
 */
function prefersMarkdown(ctx: WebContext): boolean {
  ctx.vary('Accept');
  return ctx.accepts(HTML_TYPE, TYPES.markdown) === TYPES.markdown;
}

function sendMarkdown(ctx: WebContext, text: string): void {
  sendDocument(ctx, { type: TYPES.markdown, text, cacheControl: 'no-cache' });
}

type SchemaNode = Readonly<Record<string, unknown>>;

/**
 * JSON-LD for the `<head>`. A data block is not a script to the Content-Security-Policy; nothing in it can end its element, since
 * JSON may write `<` as an escape (HTML Living Standard §4.12.1.3).
 */
export function StructuredData({ nodes }: { readonly nodes: readonly SchemaNode[] }) {
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes }).replaceAll('<', '\\u003c');
  // The text of a script element is raw: JSX would escape its quotes, and browsers do not unescape them there.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }}></script>;
}

/** Returns the JSON-LD nodes of a public page. The home page describes the site and its API. */
function pageEntities({ path, title, description }: PublicPage, publicUrl: string): readonly SchemaNode[] {
  const url = publicUrl + path;
  const site = { '@id': `${publicUrl}/#site` };
  const { home, api } = PUBLIC_PAGES;
  if (path !== home.path) {
    return [{ '@type': 'WebPage', '@id': url, url, name: title, description, inLanguage: 'en', isPartOf: site }];
  }
  return [
    { '@type': 'WebSite', ...site, url, name: PRODUCT, description, inLanguage: 'en' },
    {
      '@type': 'WebAPI',
      name: `${PRODUCT} API`,
      description: api.description,
      documentation: publicUrl + api.path,
    },
  ];
}

/** Returns the public pages as HTML and Markdown. Each form is created on first use. */
function publicContent(facts: PublicDeps) {
  const jsxPage = (page: PublicPage, content: () => Pick<Page, 'header' | 'main' | 'notices'>) => ({
    page,
    content,
    markdown: memoized(() => toMarkdown(content(), facts.publicUrl)),
  });
  const textPage = (page: PublicPage, text: PageText) => ({
    page,
    content: () => longPage(text),
    markdown: memoized(() => formatPage(text, facts.publicUrl)),
  });
  return [
    jsxPage(PUBLIC_PAGES.home, () => homePage(facts)),
    jsxPage(PUBLIC_PAGES.checks, () => checksPage(facts.checks)),
    textPage(PUBLIC_PAGES.api, referenceText(facts.document, facts.publicUrl)),
    textPage(PUBLIC_PAGES.accuracy, accuracyText()),
    textPage(PUBLIC_PAGES.about, aboutText(facts)),
    textPage(PUBLIC_PAGES.privacy, privacyText(facts)),
  ];
}

/** Heading of the part for contributors, which the page omits. */
const FOR_CONTRIBUTORS = '\n## How this page is made\n';

/** The measured accuracy of the checks, without links that only work in a checkout. */
function accuracyText(): PageText {
  // The build copies docs/accuracy.md, which `make accuracy` writes.
  const stored = readFileSync(new URL('../../../generated/accuracy.md', import.meta.url), 'utf8');
  const [, lead = '', ...rest] = (stored.split(FOR_CONTRIBUTORS)[0] ?? '').trim().split('\n\n');
  const body = rest.join('\n\n').replace(/\[([^[\]]+)\]\(\.\.?\/[^()]*\)/g, '$1');
  return { heading: 'Accuracy', lead, body };
}

/** Returns a function that makes llms-full.txt: every page but the API reference, as Markdown. */
export function allPagesText(facts: PublicDeps): () => string {
  return memoized(() => {
    const pages = publicContent(facts).filter(({ page }) => page !== PUBLIC_PAGES.api);
    return pages.map(({ markdown }) => markdown()).join('\n');
  });
}

function memoized(make: () => string): () => string {
  let made: string | undefined;
  return () => (made ??= make());
}
