import type { JSX } from 'preact';
import { RailText } from '../../../web/kit/components/two.js';
import { RECHECK_AFTER_DAYS } from '../settle-proof.js';
import type { NumberedSite } from '../site.js';
import { addressOf } from './addresses.js';
import { StepsRail } from './steps.js';

/** Next to the ways to prove a domain: where this leads, what to know, and the way out. */
export function OwnershipRail({ site }: { readonly site: NumberedSite }): JSX.Element {
  const { id, verifiedAt, latestNumber } = site;
  return (
    <>
      {verifiedAt === null && latestNumber === 0 && <StepsRail at={1} />}
      <RailText title="Good to know">
        Leave the text in place: we look for it again every {RECHECK_AFTER_DAYS} days.
      </RailText>
      <p class="small">
        <a href={addressOf.remove(id)}>Remove this site</a>
      </p>
    </>
  );
}
