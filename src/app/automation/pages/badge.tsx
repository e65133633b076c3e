import type { JSX } from 'preact';
import { badgePath } from '../../badges/pages/address.js';
import { BADGE_SIZE } from '../../badges/pages/badge.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { PUBLIC_PAGES } from '../../../web/kit/public-pages.js';
import { addressOf } from '../../sites/pages/addresses.js';

export interface BadgeSectionProps {
  readonly siteId: string;
  readonly hostname: string;
  /** Null while the badge is off. */
  readonly token: string | null;
  readonly publicUrl: string;
  /** Where the public report is, to which the badge leads; null where there is none. */
  readonly reportPath: string | null;
}

/** The latest score as a picture that can be shown anywhere. */
export function BadgeSection({ siteId, token, ...rest }: BadgeSectionProps): JSX.Element {
  return (
    <section>
      <h2>Badge</h2>
      <p>
        A small picture of the latest score and of each check as a pin, for a README or a page of yours. Its address
        cannot be guessed; anyone who has it sees the score and which checks fail, and nothing else. While there is no
        score, it shows a dash.
      </p>
      {token === null ? (
        <ActionButton action={addressOf.badge(siteId)}>Turn the badge on</ActionButton>
      ) : (
        <LiveBadge siteId={siteId} token={token} {...rest} />
      )}
    </section>
  );
}

function LiveBadge({
  siteId,
  hostname,
  token,
  publicUrl,
  reportPath,
}: BadgeSectionProps & { readonly token: string }): JSX.Element {
  const picture = publicUrl + badgePath(token);
  const target = publicUrl + (reportPath ?? PUBLIC_PAGES.checks.path);
  return (
    <>
      <p>
        <img src={badgePath(token)} alt={`Badge with the latest score of ${hostname}`} {...BADGE_SIZE} />
      </p>
      <h3>Markdown</h3>
      <Snippet text={`[![agent readiness](${picture})](${target})`} label="Badge in Markdown" />
      <h3>HTML</h3>
      <Snippet
        text={`<a href="${target}"><img src="${picture}" alt="agent readiness" height="${BADGE_SIZE.height}"></a>`}
        label="Badge in HTML"
      />
      <details>
        <summary>Replace the address, or turn the badge off</summary>
        <p>
          The address that is in use shows nothing from then on, wherever it was put; caches may show it for 5 minutes.
        </p>
        <div class="row">
          <ActionButton action={addressOf.badge(siteId)} kind="quiet">
            Give it a new address
          </ActionButton>
          <ActionButton action={addressOf.removeBadge(siteId)} kind="danger">
            Turn the badge off
          </ActionButton>
        </div>
      </details>
    </>
  );
}
