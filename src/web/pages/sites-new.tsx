import type { JSX } from 'preact';
import { PageHeader } from '../html/page-header.js';
import { AskSite } from '../html/scan-form.js';
import { queryOf } from '../server/context.js';
import { addForm, type FieldErrors, fieldOf, seeNotice } from '../server/form.js';
import { sessionOf } from '../server/session.js';
import type { Part } from '../server/page-part.js';
import { ADDRESS_CHARS_MAX, pageOf } from '../../app/sites/site-input.js';
import { addressOf } from '../server/site-paths.js';
import { Steps } from './site-verify.js';

/** Adds a site by the address of any of its pages. */
export const addNewSitePage: Part = (router, { sites, sendPage }) => {
  addForm(router, sendPage, {
    path: '/sites',
    shownAt: '/sites/new',
    field: 'site',
    load: (ctx) => sessionOf(ctx).account.id,
    async submit(ctx, accountId) {
      const site = fieldOf(ctx, 'site');
      const { id } = await sites.add({ accountId, site });
      seeNotice(ctx, addressOf.verify(id), pageOf(site) !== null ? 'added-from-page' : 'added');
    },
    render: (ctx, _accountId, errors) => ({
      title: 'Add a site',
      header: (
        <PageHeader
          crumbs={[['/sites', 'Sites']]}
          here="Add"
          title="Add a site"
          lead="Once you’ve verified that you own it, its first run starts at once."
        />
      ),
      main: (
        <div class="w over-text">
          <AddForm site={errors === null ? queryOf(ctx, 'site') : fieldOf(ctx, 'site')} errors={errors} />
          <p class="small">
            <a href={addressOf.addMany}>Add many at once</a>
          </p>
          <div class="sec">
            <Steps at={0} />
          </div>
        </div>
      ),
    }),
  });
};

interface AddFormProps {
  readonly site?: string;
  readonly errors?: FieldErrors | null;
}

/** The form that adds a site, on any page. */
export function AddForm({ site = '', errors = null }: AddFormProps): JSX.Element {
  return (
    <form method="post" action="/sites" novalidate>
      <AskSite
        label="Site"
        hint="The address of any of its pages works. One host is one site: www.example.com and example.com are two."
        value={site}
        errors={errors}
        maxLength={ADDRESS_CHARS_MAX}
        button="Add site"
        takesFocus
      />
    </form>
  );
}
