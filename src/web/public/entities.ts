import type { Check } from '../../scanner/verdict/check.js';
import { checkHref } from '../html/result.js';
import type { SchemaNode } from '../html/structured-data.js';
import { PRODUCT } from '../server/page.js';
import { PUBLIC_PAGES, type PublicPage } from '../server/public-pages.js';

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
