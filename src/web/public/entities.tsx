import type { JSX } from 'preact';
import type { Check } from '../../scanner/verdict/check.js';
import { checkHref } from '../html/result.js';
import { PRODUCT } from '../server/page.js';
import { PUBLIC_PAGES, type PublicPage } from '../server/public-pages.js';

/** One entity in schema.org's vocabulary. */
type SchemaNode = Readonly<Record<string, unknown>>;

/**
 * JSON-LD for the `<head>`. A data block is not a script to the Content-Security-Policy; nothing in it can end its element, since
 * JSON may write `<` as an escape (HTML Living Standard §4.12.1.3).
 */
export function StructuredData({ nodes }: { readonly nodes: readonly SchemaNode[] }): JSX.Element {
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': nodes }).replaceAll('<', '\\u003c');
  // The text of a script element is raw: JSX would write its quotes as character references, which stay as they are there.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }}></script>;
}

/** What every public page says of itself in schema.org's vocabulary. */
export function pageEntities(
  { path, title, label, description }: PublicPage,
  publicUrl: string,
): readonly SchemaNode[] {
  const url = publicUrl + path;
  const page = {
    '@type': 'WebPage',
    '@id': url,
    url,
    name: title,
    description,
    inLanguage: 'en',
    isPartOf: siteRef(publicUrl),
  };
  const trail = {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: PUBLIC_PAGES.home.label, item: `${publicUrl}/` },
      { '@type': 'ListItem', position: 2, name: label, item: url },
    ],
  };
  return path === PUBLIC_PAGES.home.path ? homeEntities(publicUrl) : [page, trail];
}

/** The site and the API that it offers: who runs it is the operator's to say. */
function homeEntities(publicUrl: string): readonly SchemaNode[] {
  const { home, api } = PUBLIC_PAGES;
  const site = {
    '@type': 'WebSite',
    ...siteRef(publicUrl),
    url: `${publicUrl}/`,
    name: PRODUCT,
    description: home.description,
    inLanguage: 'en',
  };
  const webApi = {
    '@type': 'WebAPI',
    name: `${PRODUCT} API`,
    description: api.description,
    documentation: publicUrl + api.path,
  };
  return [site, webApi];
}

export function checkListEntity(checks: readonly Check[], publicUrl: string): SchemaNode {
  return {
    '@type': 'ItemList',
    name: PUBLIC_PAGES.checks.title,
    numberOfItems: checks.length,
    itemListElement: checks.map(({ id, title }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: title,
      url: publicUrl + checkHref(id),
    })),
  };
}

function siteRef(publicUrl: string): SchemaNode {
  return { '@id': `${publicUrl}/#site` };
}
