import type { JSX } from 'preact';
import { ErrorSummary, Field } from '../../../web/components/form.js';
import { seeOther, sessionOf } from '../../../web/exchange.js';
import { type FieldErrors, fieldOf, tryForm } from '../../../web/form.js';
import { Heading } from '../../../web/layout.js';
import type { Page } from '../../../web/page.js';
import type { Part } from '../../../web/part.js';
import { addressOf } from './addresses.js';

/** The form that adds a site. */
export const addAddPage: Part = (router, { sites, sendPage }) => {
  router.get('/sites/new', (exchange) => {
    sessionOf(exchange);
    sendPage(exchange, addPage('', null));
  });

  router.post('/sites', async (exchange) => {
    const accountId = sessionOf(exchange).account.id;
    const site = fieldOf(exchange, 'site');
    const errors = await tryForm('site', async () => {
      seeOther(exchange, addressOf.verify((await sites.add({ accountId, site })).id));
    });
    if (errors) sendPage(exchange, addPage(site, errors));
  });
};

function addPage(site: string, errors: FieldErrors | null): Page {
  return {
    title: errors ? 'Error: Add a site' : 'Add a site',
    status: errors ? 422 : 200,
    main: <AddForm site={site} errors={errors} />,
  };
}

function AddForm({ site, errors }: { readonly site: string; readonly errors: FieldErrors | null }): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors} />
      <Heading lead="Next you prove that its domain is yours. Nothing is scanned before.">Add a site</Heading>
      <form method="post" action="/sites" novalidate>
        <Field
          name="site"
          label="Host name"
          hint="Such as www.example.com: the host that your visitors use, without a path."
          value={site}
          errors={errors}
          autocomplete="url"
          inputMode="url"
          maxLength={300}
          isVerbatim
        />
        <div class="row">
          <button type="submit">Add site</button>
          <a href="/sites">Cancel</a>
        </div>
      </form>
    </>
  );
}
