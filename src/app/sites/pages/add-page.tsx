import type { JSX } from 'preact';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { Group, Mast } from '../../../web/kit/components/mast.js';
import { Pins } from '../../../web/kit/components/pins.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { sessionOf } from '../../accounts/pages/session.js';
import type { Part } from '../../part.js';
import { ADDRESS_CHARS_MAX, isPageAddress } from '../site-input.js';
import { addressOf } from './addresses.js';

/** The form that adds a site: the address of any of its pages will do. */
export const addAddPage: Part = (router, { sites, sendPage }) => {
  addForm(router, sendPage, {
    path: '/sites',
    shownAt: '/sites/new',
    field: 'site',
    load: (ctx) => sessionOf(ctx).account.id,
    async submit(ctx, accountId) {
      const site = fieldOf(ctx, 'site');
      const { id } = await sites.add({ accountId, site });
      seeOther(ctx, `${addressOf.verify(id)}?notice=${isPageAddress(site) ? 'added-from-page' : 'added'}`);
    },
    render: (ctx, _accountId, errors) => ({
      title: 'Add a site',
      mast: (
        <Mast
          crumbs={[['/sites', 'Sites']]}
          here="Add"
          title="Add a site"
          lead="Any page of it will do. Next, you show that the domain is yours. Nothing is scanned until then."
        />
      ),
      main: (
        <div class="w two">
          <AddForm site={fieldOf(ctx, 'site')} errors={errors} />
          <Rail />
        </div>
      ),
    }),
  });
};

function AddForm({ site, errors }: { readonly site: string; readonly errors: FieldErrors | null }): JSX.Element {
  return (
    <div>
      <ErrorSummary errors={errors} />
      <Group title="One" meaning="by its name or a page" level="h2">
        <form method="post" action="/sites" novalidate>
          <Field
            name="site"
            label="Site"
            hint="A host name, or the address of any page, such as https://www.example.com/shop. The site is the whole host."
            value={site}
            errors={errors}
            autocomplete="url"
            inputMode="url"
            maxLength={ADDRESS_CHARS_MAX}
            isVerbatim
          />
          <div class="row">
            <button type="submit">Add site</button>
            <a class="btn bare" href="/sites">
              Cancel
            </a>
          </div>
        </form>
      </Group>
    </div>
  );
}

function Rail(): JSX.Element {
  return (
    <aside class="rail">
      <section>
        <Pins groups={WAITING_PINS} size="pins-l" isSaid />
        <p class="small soft">Eighteen checks wait for it.</p>
      </section>
      <section>
        <h2>What is one site?</h2>
        <p class="small soft">
          A host: www.example.com and example.com are two. Add the one that your visitors end up at.
        </p>
      </section>
    </aside>
  );
}
