import type { JSX } from 'preact';
import { Field } from '../html/form.js';
import { Group } from '../html/mast.js';
import type { FieldErrors } from '../server/form.js';
import type { OwnSite } from '../../app/sites/own-site.js';
import { TAG_CHARS_MAX, TAGS_MAX } from '../../app/sites/tags.js';
import { addressOf } from '../server/site-paths.js';

export const TAGS_FIELD = 'tag';

/** Includes the commas. */
const TYPED_CHARS_MAX = TAGS_MAX * (TAG_CHARS_MAX + 2);

interface TagsFormProps {
  readonly site: OwnSite;
  /** The submitted text. */
  readonly typed: string;
  readonly errors: FieldErrors | null;
}

/** Edits the tags of a site. */
export function TagsForm({ site, typed, errors }: TagsFormProps): JSX.Element {
  return (
    <Group title="Tags" meaning="to find and group sites" id="tags">
      <form method="post" action={addressOf.tags(site.id)} novalidate>
        <Field
          name={TAGS_FIELD}
          label="Tags"
          hint={`Comma-separated, e.g. shops, Acme. Up to ${TAGS_MAX}. Nobody else sees them.`}
          value={errors?.[TAGS_FIELD] === undefined ? site.tags.join(', ') : typed}
          errors={errors}
          required={false}
          autocomplete="off"
          maxLength={TYPED_CHARS_MAX}
        />
        <button type="submit" class="quiet">
          Save tags
        </button>
      </form>
    </Group>
  );
}
