import type { Webhook } from '../../app/alerts/webhooks.js';
import type { Page } from '../server/page.js';
import { shownOncePage } from '../server/shown-once.js';
import { RailText } from '../html/two.js';
import { alertsAddress } from './alerts-addresses.js';
import { ReceiverGuide } from './receiver-guide.js';

/** The only page that shows a webhook's secret. */
export function secretPage(props: {
  readonly webhook: Webhook;
  readonly secret: string;
  /** True if the webhook is new; false if the secret replaces another. */
  readonly isNew: boolean;
  readonly publicUrl: string;
}): Page {
  const { webhook, secret, isNew, publicUrl } = props;
  const page = alertsAddress.webhook(webhook.id);
  return shownOncePage({
    title: isNew ? 'Webhook added' : 'New secret',
    status: isNew ? 201 : 200,
    heading: 'Copy the secret now',
    lead: 'It is shown only once. Every message is signed with it.',
    crumbs: [
      [alertsAddress.all, 'Alerts'],
      [page, webhook.host],
    ],
    here: 'Secret',
    words: (
      <>
        <b>{isNew ? 'The webhook is added.' : 'The webhook has a new secret.'}</b>{' '}
        {isNew
          ? 'Give your receiver this secret. It proves that a message comes from here.'
          : 'The previous secret no longer signs anything: give this one to your receiver now.'}
      </>
    ),
    secret,
    label: 'Secret of the webhook',
    children: <ReceiverGuide publicUrl={publicUrl} />,
    rail: (
      <>
        <RailText title="Alerts go to">
          <code>{webhook.address}</code>
        </RailText>
        <RailText title="Try it">
          Send a test from the <a href={page}>page of the webhook</a>, and see there what your receiver answers.
        </RailText>
        <RailText title="Lost the secret?">Make a new one on that page.</RailText>
      </>
    ),
    what: 'secret',
    doneAt: page,
  });
}
