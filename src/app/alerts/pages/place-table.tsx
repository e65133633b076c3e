import type { JSX } from 'preact';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { Time } from '../../../web/kit/components/text.js';
import type { WatchedWebhook } from '../webhook.js';
import { alertsAddress } from './addresses.js';
import { nameOf } from './delivery-rows.js';
import { DeliveryPins, wordOf } from './states.js';
import { TableHead } from '../../../web/kit/components/table.js';

export interface PlaceTableProps {
  readonly webhooks: readonly WatchedWebhook[];
  readonly now: Date;
}

/** The webhooks, each with how its last messages fared. */
export function PlaceTable({ webhooks, now }: PlaceTableProps): JSX.Element {
  return (
    <table class="cards places">
      <caption class="hide">Where alerts are posted to</caption>
      <TableHead
        columns={[
          ['Webhook'],
          [webhooks.some(({ last }) => last.length > 0) ? 'Last ten' : <span class="hide">Last ten</span>],
          ['Last message'],
          [<span class="hide">Test</span>],
        ]}
      />
      <tbody>
        {webhooks.map((webhook) => (
          <PlaceRow key={webhook.id} webhook={webhook} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function PlaceRow({ webhook, now }: { readonly webhook: WatchedWebhook; readonly now: Date }): JSX.Element {
  const { id, url, disabledAt, last } = webhook;
  const { host, pathname, search } = new URL(url);
  const [latest] = last;
  return (
    <tr>
      <th scope="row">
        <span class="place">
          <Icon name="globe" />
          <span>
            <a href={alertsAddress.webhook(id)}>{host}</a>
            <br />
            <span class="soft small mono">{pathname + search}</span>
          </span>
        </span>
      </th>
      <td class="c-score">{last.length > 0 && <DeliveryPins deliveries={last} />}</td>
      <td class="c-what">
        {latest === undefined ? (
          <span class="soft">Nothing sent yet</span>
        ) : (
          <>
            {nameOf(latest)} <br />
            <span class="soft small">
              {wordOf(latest)}, <Time at={latest.createdAt} now={now} />
            </span>
          </>
        )}{' '}
        {disabledAt !== null && (
          <span class="chip is-f">
            Turned off <Time at={disabledAt} now={now} />
          </span>
        )}
      </td>
      <td>
        {disabledAt === null && (
          <ActionButton action={alertsAddress.test(id)} kind="quiet" isTight label={`Send a test to ${host}`}>
            Send a test
          </ActionButton>
        )}
      </td>
    </tr>
  );
}
