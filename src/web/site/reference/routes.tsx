import { queryOf } from '../../kit/context.js';
import { StructuredData } from '../../kit/components/structured-data.js';
import { pageLinks } from '../discovery/page-links.js';
import type { Page } from '../../kit/page.js';
import type { SitePart } from '../deps.js';
import { pageEntities } from '../public/entities.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { readReference } from './api-document.js';
import { ReferenceFilter } from './filter.js';
import { ReferenceMast, ReferencePage } from './reference-page.js';

/** The reference of the API, made from the document that the API serves. */
export const addReferenceRoutes: SitePart = (router, { document, publicUrl, sendPage, sendConstantPage }) => {
  const reference = readReference(document);
  const { path, title, description } = PUBLIC_PAGES.api;
  router.get(path, (ctx) => {
    ctx.set('Link', pageLinks(PUBLIC_PAGES.api));
    const filter = new ReferenceFilter(queryOf(ctx, 'find'));
    const make = (): Page => ({
      title,
      description,
      scripts: ['api-reference.js'],
      styles: ['api-reference.css'],
      head: <StructuredData nodes={pageEntities(PUBLIC_PAGES.api, publicUrl)} />,
      mast: <ReferenceMast filter={filter} />,
      main: <ReferencePage reference={reference} baseUrl={publicUrl} filter={filter} />,
    });
    if (filter.find === '') sendConstantPage(ctx, make);
    else sendPage(ctx, make());
  });
};
