import type { Webhook } from '../webhook.js';
import { Snippet } from '../../../web/kit/components/text.js';
import type { Page } from '../../../web/kit/page.js';
import { shownOncePage } from '../../../web/kit/shown-once.js';
import { alertsAddress } from './addresses.js';
import { ReceiverGuide } from './receiver-guide.js';

/** The one time that a webhook's secret is shown. */
export function secretPage(props: {
  readonly webhook: Webhook;
  readonly secret: string;
  /** Or else it has taken the place of another. */
  readonly isNew: boolean;
  readonly publicUrl: string;
}): Page {
  const { webhook, secret, isNew, publicUrl } = props;
  return shownOncePage({
    title: isNew ? 'Webhook added' : 'New secret',
    status: isNew ? 201 : 200,
    crumbs: [[alertsAddress.all, 'Alerts']],
    here: 'Webhook',
    lead: (
      <>
        Alerts go to <code>{webhook.url}</code>
      </>
    ),
    once: (
      <>
        <p>
          <b>Copy the secret now: it is shown this one time.</b> Every message is signed with it.{' '}
          {isNew
            ? 'If you lose it, make a new one on the page of the webhook.'
            : 'The previous secret no longer signs anything: give this one to your receiver now.'}
        </p>
        <Snippet text={secret} label="Secret of the webhook" />
      </>
    ),
    children: (
      <>
        <h2>Receive messages</h2>
        <ReceiverGuide publicUrl={publicUrl} />
      </>
    ),
    what: 'secret',
    doneAt: alertsAddress.webhook(webhook.id),
  });
}
