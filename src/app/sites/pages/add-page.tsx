import type { JSX } from 'preact';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { seeOther } from '../../../web/kit/context.js';
import { sessionOf } from '../../accounts/pages/session.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { addressOf } from './addresses.js';

/** The form that adds a site. */
export const addAddPage: Part = (router, { sites, sendPage }) => {
  addForm(router, sendPage, {
    path: '/sites',
    shownAt: '/sites/new',
    field: 'site',
    load: (ctx) => sessionOf(ctx).account.id,
    async submit(ctx, accountId) {
      const { id } = await sites.add({ accountId, site: fieldOf(ctx, 'site') });
      seeOther(ctx, addressOf.verify(id));
    },
    render: (ctx, _accountId, errors) => ({
      title: 'Add a site',
      main: <AddForm site={fieldOf(ctx, 'site')} errors={errors} />,
    }),
  });
};

function AddForm({ site, errors }: { readonly site: string; readonly errors: FieldErrors | null }): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors} />
      <Heading lead="Next, you prove that the domain is yours. Nothing is scanned until then.">Add a site</Heading>
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
