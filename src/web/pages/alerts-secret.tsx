import type { Webhook } from '../../app/alerts/webhooks.js';
import type { Page } from '../server/page.js';
import { shownOncePage } from '../server/shown-once.js';
import { alertsAddress } from './alerts-addresses.js';
import type { JSX } from 'preact';
import { Group } from '../html/page-header.js';
import { Fold } from '../html/fold.js';
import { Snippet } from '../html/text.js';
import { PostedMessage, sampleEvent } from './alerts-samples.js';

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
    crumbs: [
      [alertsAddress.all, 'Alerts'],
      [page, webhook.host],
    ],
    words: (
      <>
        <b>{isNew ? 'The webhook is added.' : 'The webhook has a new secret.'}</b> Give it to the receiver at{' '}
        <code>{webhook.address}</code>: every message is signed with it
        {!isNew && ', and no longer with the previous one'}. Then send a test from the <a href={page}>webhook’s page</a>
        , where you can also replace the secret.
      </>
    ),
    secret,
    label: 'Secret of the webhook',
    what: 'secret',
    doneAt: page,
    children: <ReceiverGuide publicUrl={publicUrl} />,
  });
}

/** A complete receiver for Node.js that verifies messages. */
const VERIFY = `// npm install standardwebhooks
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  try {
    // Throws unless the signature is right and the message is fresh.
    const message = webhook.verify(body, request.headers);
    console.log(message.type, message.data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(8080);`;

/** Instructions for developers of a receiver. */
export function ReceiverGuide({ publicUrl }: { readonly publicUrl: string }): JSX.Element {
  return (
    <Group title="Verify webhooks">
      <p>
        Signatures follow the <a href="https://www.standardwebhooks.com/">Standard Webhooks</a> scheme, for which most
        languages have a library.
      </p>
      <ul>
        <li>
          <b>Answer 200 to 299</b> within a few seconds, and do the work afterwards.
        </li>
        <li>
          <b>Handle duplicates.</b> Delivery is at least once: we resend a message, with growing pauses, until your
          receiver accepts it, always with the same <code>webhook-id</code>.
        </li>
        <li>
          <b>Answer 410</b> to get no more messages: the webhook is turned off.
        </li>
        <li>
          <b>Check the type.</b> Unless you get alerts by e-mail, it also gets a message when we do not find your proof
          of ownership (<code>site.proof_unread</code>), and when the site is no longer verified (
          <code>site.ownership_lost</code>).
        </li>
      </ul>
      <Fold title="A receiver for Node.js">
        <p>
          The secret is in the environment as <code>WEBHOOK_SECRET</code>.
        </p>
        <Snippet text={VERIFY} label="Receiver that verifies messages" />
      </Fold>
      <PostedMessage event={sampleEvent(publicUrl)} />
    </Group>
  );
}
