import type { JSX } from 'preact';
import { ErrorSummary, FieldNotes, notesOf } from '../../../web/kit/components/form.js';
import { Mast } from '../../../web/kit/components/mast.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { RailPart, RailText, Two } from '../../../web/kit/components/two.js';
import { seeOther } from '../../../web/kit/context.js';
import { addForm, type FieldErrors, fieldOf } from '../../../web/kit/form.js';
import { readLongForm } from '../../../web/kit/long-form.js';
import { formatCount } from '../../../platform/counts.js';
import { ServiceError } from '../../../platform/errors.js';
import { InputError } from '../../../platform/input-error.js';
import { PROGRAM } from '../../../scanner/report/program.js';
import { sessionOf } from '../../accounts/pages/session.js';
import type { Part } from '../../part.js';
import { LIST_BYTES_MAX, LIST_LINES_MAX } from '../site-list.js';
import { addressOf } from './addresses.js';

/** What surrounds the list in its form. */
const FORM_BYTES_MAX = LIST_BYTES_MAX + 10_000;

/** The form that takes a list of sites, which its holder then looks at before it is added. */
export const addManyPage: Part = (router, { siteLists, sendPage }) => {
  addForm(router, sendPage, {
    path: addressOf.addMany,
    field: 'list',
    load: (ctx) => sessionOf(ctx).account.id,
    async submit(ctx, accountId) {
      await siteLists.takeTurn(accountId);
      await readLongForm(ctx, ['list', 'file'], FORM_BYTES_MAX).catch((error: unknown) => {
        throw error instanceof ServiceError && error.code === 'payload_too_large' ? tooLong() : error;
      });
      const [list, file] = [fieldOf(ctx, 'list'), fieldOf(ctx, 'file')];
      if (list.trim() !== '' && file.trim() !== '') {
        throw new InputError('Paste the addresses or choose a file: one of the two.');
      }
      const isFile = file.trim() !== '';
      await siteLists.keep(accountId, isFile ? file : list).catch((error: unknown) => {
        throw isFile && error instanceof InputError ? new InputError(error.message, 'file') : error;
      });
      seeOther(ctx, addressOf.list);
    },
    render: (ctx, accountId, errors) => ({
      title: 'Add many sites',
      styles: ['many.css'],
      mast: (
        <Mast
          crumbs={[
            ['/sites', 'Sites'],
            ['/sites/new', 'Add'],
          ]}
          here="Many"
          title="Add many sites"
          lead="Paste their addresses or choose a file. Before anything is added you see what comes of each line."
        />
      ),
      main: (
        <Two rail={<Rail accountId={accountId} />}>
          <ErrorSummary errors={errors} />
          <ListForm list={fieldOf(ctx, 'list')} errors={errors} />
        </Two>
      ),
    }),
  });
};

function tooLong(): InputError {
  return new InputError('This list is longer than a megabyte. Leave out what is not an address, or split it.', 'file');
}

interface ListFormProps {
  readonly list: string;
  readonly errors: FieldErrors | null;
}

function ListForm({ list, errors }: ListFormProps): JSX.Element {
  const notes = {
    name: 'list',
    message: errors?.list,
    hint: `One a line, of any page of each site. In a table, the column named url, site, domain, host, hostname or website counts, or else each cell that is an address; the column tags, with commas between them, tags what is added. Up to ${formatCount(LIST_LINES_MAX)} lines.`,
  };
  return (
    <form method="post" action={addressOf.addMany} enctype="multipart/form-data" class="many" novalidate>
      <label for="list">Addresses</label>
      <FieldNotes {...notes} />
      <textarea
        id="list"
        name="list"
        autocapitalize="none"
        spellcheck={false}
        placeholder={'example.com\nhttps://shop.example.org/lamps'}
        aria-invalid={notes.message === undefined ? undefined : true}
        aria-describedby={notesOf(notes)}
        autofocus={notes.message !== undefined}
      >
        {list}
      </textarea>
      <label for="file">Or a file, as CSV or text</label>
      <FieldNotes name="file" message={errors?.file} />
      <input
        type="file"
        id="file"
        name="file"
        aria-invalid={errors?.file === undefined ? undefined : true}
        aria-describedby={notesOf({ name: 'file', message: errors?.file })}
        autofocus={errors?.file !== undefined}
        accept=".csv,.txt,text/csv,text/plain"
      />
      <button type="submit">Look at the list</button>
    </form>
  );
}

function Rail({ accountId }: { readonly accountId: string }): JSX.Element {
  return (
    <>
      <RailText title="What is one site">
        One host: www.example.com and example.com are two. Of two lines with one host the first counts.
      </RailText>
      <RailText title="Nothing is scanned yet">Each site has to be shown to be yours before its first run.</RailText>
      <RailPart title="From a terminal">
        <p class="small soft">Where this service runs, its operator adds the same list by</p>
        <Snippet text={`${PROGRAM} site add --account ${accountId} --file sites.csv`} label="command" />
      </RailPart>
    </>
  );
}
