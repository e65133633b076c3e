import type { JSX } from 'preact';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import type { WatchedWebhook } from '../../app/alerts/webhooks.js';
import { ActionButton } from '../html/form.js';
import { Icon } from '../html/icons.js';
import { HostName } from '../html/page-header.js';
import { TableHead } from '../html/table.js';
import { Time } from '../html/text.js';
import { alertsAddress } from './alerts-addresses.js';
import { DeliveryPins, nameOf, wordOf } from './alerts-deliveries.js';

interface WebhookTableProps {
  readonly webhooks: readonly WatchedWebhook[];
  /** How many sites the account has. */
  readonly siteCount: number;
  readonly now: Date;
}

/** The webhooks with the results of their last messages. */
export function WebhookTable({ webhooks, siteCount, now }: WebhookTableProps): JSX.Element {
  const hasLast = webhooks.some(({ last }) => last.length > 0);
  return (
    <table class="stack">
      <caption class="hide">Webhooks that get alerts</caption>
      <TableHead
        columns={[
          ['Webhook'],
          ['Sites'],
          [hasLast ? 'Last ten' : <span class="hide">Last ten</span>],
          ['Last message'],
          [<span class="hide">Test</span>],
        ]}
      />
      <tbody>
        {webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} {...{ webhook, siteCount, now }} />
        ))}
      </tbody>
    </table>
  );
}

type WebhookRowProps = Omit<WebhookTableProps, 'webhooks'> & { readonly webhook: WatchedWebhook };

function WebhookRow({ webhook, siteCount, now }: WebhookRowProps): JSX.Element {
  const { id, format, name, address, site, tag, disabledAt, last } = webhook;
  return (
    <tr>
      <th scope="row">
        <span class="place">
          <Icon name={format === 'signed' ? 'globe' : 'hash'} />
          <span>
            <a href={alertsAddress.webhook(id)}>{name}</a>
            <br />
            <span class="soft small">
              {FORMATS[format]}
              {format === 'signed' && <span class="mono"> {address.slice(new URL(address).origin.length)}</span>}
            </span>
          </span>
        </span>
      </th>
      <td class="soft" data-label="Sites">
        {site !== null && <HostName name={site.hostname} />}
        {tag !== null && `#${tag}`}
        {site === null && tag === null && <>all {siteCount}</>}
      </td>
      <td>{last.length > 0 && <DeliveryPins deliveries={last} />}</td>
      <td data-label="Last message">
        <LastMessage webhook={webhook} now={now} />{' '}
        {disabledAt !== null && (
          <span class="chip is-f">
            Turned off <Time at={disabledAt} now={now} />
          </span>
        )}
      </td>
      <td class="r">
        {disabledAt === null && (
          <ActionButton action={alertsAddress.test(id)} kind="quiet" isTight label={`Send a test to ${name}`}>
            Send a test
          </ActionButton>
        )}
      </td>
    </tr>
  );
}

function LastMessage({ webhook, now }: { readonly webhook: WatchedWebhook; readonly now: Date }): JSX.Element {
  const [latest] = webhook.last;
  if (latest === undefined) return <span class="soft">Nothing sent yet</span>;
  return (
    <>
      {nameOf(latest)} <br />
      <span class="soft small">
        {wordOf(latest)}, <Time at={latest.createdAt} now={now} />
      </span>
    </>
  );
}
