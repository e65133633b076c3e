import type { JSX } from 'preact';
import { badgePath } from '../public/publications-addresses.js';
import type { Badge } from '../../app/publications/publications.js';
import { BADGE_SIZE, BadgeDrawing } from '../public/badge.js';
import { ActionButton } from '../html/form.js';
import { Group } from '../html/mast.js';
import { Tabs } from '../html/tabs.js';
import { Snippet } from '../html/text.js';
import { PUBLIC_PAGES } from '../server/public-pages.js';
import { addressOf } from '../server/site-paths.js';
import { AddressFold } from '../html/fold.js';

export interface BadgeSectionProps {
  readonly siteId: string;
  readonly hostname: string;
  /** Null while the badge is off. */
  readonly token: string | null;
  /** What the badge shows, or would show. */
  readonly shown: Badge;
  readonly publicUrl: string;
  /** The public report, which the badge links to; null if there is none. */
  readonly reportPath: string | null;
}

export function BadgeSection({ siteId, token, shown, ...rest }: BadgeSectionProps): JSX.Element {
  return (
    <Group title="Badge" meaning={token === null ? 'off' : 'follows the latest run'} id="badge">
      {token === null ? (
        <>
          {shown.score !== null && (
            <figure class="sample">
              <BadgeDrawing {...shown} />
              <figcaption class="soft small">preview, visible to you only</figcaption>
            </figure>
          )}
          <BadgeWords />
          <ActionButton action={addressOf.badge(siteId)} kind="quiet">
            Turn the badge on
          </ActionButton>
        </>
      ) : (
        <LiveBadge siteId={siteId} token={token} {...rest} />
      )}
    </Group>
  );
}

function BadgeWords(): JSX.Element {
  return (
    <p>
      The latest score with a pin for each check, for a README or your own page. Anyone who has the address sees which
      checks fail, and nothing else.
    </p>
  );
}

function LiveBadge({
  siteId,
  hostname,
  token,
  publicUrl,
  reportPath,
}: Omit<BadgeSectionProps, 'shown'> & { readonly token: string }): JSX.Element {
  const picture = publicUrl + badgePath(token);
  const target = publicUrl + (reportPath ?? PUBLIC_PAGES.checks.path);
  // Reference links have their URLs on separate lines (CommonMark 0.31 §4.7), so no URL wraps.
  const markdown = `[![agent readiness][agent-readiness]][agent-readiness-report]\n\n[agent-readiness]:\n${picture}\n[agent-readiness-report]:\n${target}`;
  const html = `<a href="${target}"><img src="${picture}" alt="agent readiness" height="${BADGE_SIZE.height}"></a>`;
  return (
    <>
      <p>
        <img src={badgePath(token)} alt={`Badge with the latest score of ${hostname}`} {...BADGE_SIZE} />
      </p>
      <BadgeWords />
      <Tabs
        label="Format"
        name="badge"
        panels={[
          ['Markdown', <Snippet text={markdown} label="Badge in Markdown" />],
          ['HTML', <Snippet text={html} label="Badge in HTML" />],
        ]}
      />
      <AddressFold
        title="Replace the address, or turn the badge off"
        renew={[addressOf.badge(siteId), 'Give it a new address']}
        end={[addressOf.removeBadge(siteId), 'Turn the badge off']}
      >
        The current address then stops working. Caches may show the badge for 5 more minutes.
      </AddressFold>
    </>
  );
}
