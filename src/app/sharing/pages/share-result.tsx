import type { JSX } from 'preact';
import { CopyLink } from '../../../web/kit/components/fold.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { RESULT_SHARED_DAYS } from '../shared-results.js';
import { addressOf } from './addresses.js';
import { RailPart } from '../../../web/kit/components/two.js';

/** Part of the page of a free result: a link that lasts, and the result as Markdown. */
export function ShareResult({ hostname }: { readonly hostname: string }): JSX.Element {
  return (
    <RailPart title="Share this result">
      <p class="soft small">
        A link that cannot be guessed: anyone who has it can read this result for {RESULT_SHARED_DAYS} days.
      </p>
      <div class="row">
        <ActionButton action={addressOf.share(hostname)} kind="quiet">
          Make a link
        </ActionButton>
        <CopyLink href={addressOf.markdownOfScan(hostname)} label="As Markdown" />
      </div>
    </RailPart>
  );
}
