import type { JSX } from 'preact';
import { InputError } from '../../../platform/input-error.js';
import type { NumberedSite } from '../../sites/site.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import { countOf } from '../../../platform/counts.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Part } from '../../part.js';
import { addressOf, ownSite } from '../../sites/pages/addresses.js';

/** Removing a site says what goes with it, and asks for its name. */
export const addRemovePage: Part = (router, { sites, siteRemoval, sendPage }) => {
  addForm(router, sendPage, {
    path: '/sites/:siteId/remove',
    field: 'name',
    load: (ctx) => ownSite(ctx, { sites }),
    async submit(ctx, site) {
      if (fieldOf(ctx, 'name').trim().toLowerCase() !== site.hostname) {
        throw new InputError(`Type ${site.hostname} to remove this site. Nothing was removed.`);
      }
      await siteRemoval.removeOwn(site);
      seeOther(ctx, '/sites?notice=removed');
    },
    render: (ctx, site, errors) => ({
      title: `Remove ${site.hostname}`,
      main: <RemoveForm site={site} name={fieldOf(ctx, 'name')} errors={errors} />,
    }),
  });
};

interface RemoveProps {
  readonly site: NumberedSite;
  readonly name: string;
  readonly errors: FieldErrors | null;
}

function RemoveForm({ site, name, errors }: RemoveProps): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors} />
      <Heading lead="This cannot be undone.">Remove {site.hostname}</Heading>
      <p>What goes with it:</p>
      <ul>
        <li>
          {site.latestNumber === 0
            ? 'no runs: it has none yet'
            : `${countOf(site.latestNumber, 'run')} with all findings, for good`}
        </li>
        <li>
          its id <code>{site.id}</code>: calls of the API with it will find nothing
        </li>
      </ul>
      <p>Added again, the site gets a new id, its domain has to be verified again, and its runs start at 1.</p>
      <form method="post" action={addressOf.remove(site.id)} novalidate>
        <Field
          name="name"
          label={`Type ${site.hostname} to confirm`}
          value={name}
          errors={errors}
          autocomplete="off"
          maxLength={300}
          isVerbatim
        />
        <div class="row">
          <button type="submit" class="danger">
            Remove site
          </button>
          <a href={addressOf.site(site.id)}>Cancel</a>
        </div>
      </form>
    </>
  );
}
