import type { JSX } from 'preact';
import { PRODUCT } from '../server/page.js';
import { PUBLIC_PAGES, type PublicPage } from '../server/public-pages.js';

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

/** What a public page says of itself. The home page names the site and the API that it offers. */
export function pageEntities({ path, title, description }: PublicPage, publicUrl: string): readonly SchemaNode[] {
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
