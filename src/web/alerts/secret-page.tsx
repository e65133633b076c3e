import type { Webhook } from '../../service/alerts/webhooks.js';
import { Snippet } from '../components/text.js';
import { Heading } from '../layout.js';
import type { Page } from '../page.js';
import { alertsAddress } from './addresses.js';

/** How a receiver makes sure that a message comes from here: whole, for Node.js and nothing else. */
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

/** The one time that a webhook's secret is shown. The page asks before it is left, until the secret was copied or its own button used. */
export function secretPage(props: {
  readonly webhook: Webhook;
  readonly secret: string;
  /** Or else it has taken the place of another. */
  readonly isNew: boolean;
}): Page {
  const { webhook, secret, isNew } = props;
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
            : 'The one before signs nothing any more, so that your receiver needs this one at once.'}
        </p>
        <div data-shown-once>
          <Snippet text={secret} label="Secret of the webhook" />
        </div>
        <h2>Verify messages</h2>
        <p>
          Signatures follow the <a href="https://www.standardwebhooks.com/">Standard Webhooks</a> scheme, for which most
          languages have a library. With Node.js, and the secret in the environment as <code>WEBHOOK_SECRET</code>:
        </p>
        <Snippet text={VERIFY} label="Receiver that verifies messages" />
        <p>
          Answer with any status from 200 to 299 within a few seconds, and do the work afterwards. A message that was
          not taken is sent again, with growing pauses and the same <code>webhook-id</code>: drop those that you have
          already.
        </p>
        <p>
          <a class="button" href={alertsAddress.webhook(webhook.id)} data-done>
            I have stored the secret
          </a>
        </p>
      </>
    ),
  };
}
