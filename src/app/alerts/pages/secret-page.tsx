import type { Webhook } from '../webhooks.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import { alertsAddress } from './addresses.js';
import { ReceiverGuide } from './receiver-guide.js';

/** The one time that a webhook's secret is shown. The page asks before it is left, until the secret was copied or its own button used. */
export function secretPage(props: {
  readonly webhook: Webhook;
  readonly secret: string;
  /** Or else it has taken the place of another. */
  readonly isNew: boolean;
  readonly publicUrl: string;
}): Page {
  const { webhook, secret, isNew, publicUrl } = props;
  const title = isNew ? 'Webhook added' : 'New secret';
  return {
    title,
    status: isNew ? 201 : 200,
    main: (
      <>
        <Heading lead={<code>{webhook.url}</code>}>{title}</Heading>
        <p>
          Every message is signed with this secret. Copy it now: it is shown this one time.{' '}
          {isNew
            ? 'If you lose it, make a new one on the page of the webhook.'
            : 'The previous secret no longer signs anything: give this one to your receiver now.'}
        </p>
        <div data-shown-once>
          <Snippet text={secret} label="Secret of the webhook" />
        </div>
        <h2>Receive messages</h2>
        <ReceiverGuide publicUrl={publicUrl} />
        <p>
          <a class="button" href={alertsAddress.webhook(webhook.id)} data-done>
            I have stored the secret
          </a>
        </p>
      </>
    ),
  };
}
