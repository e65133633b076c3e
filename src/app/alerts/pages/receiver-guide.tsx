import type { JSX } from 'preact';
import { Fold } from '../../../web/kit/components/fold.js';
import { Snippet } from '../../../web/kit/components/text.js';
import { PostedMessage } from './message-samples.js';
import { sampleEvent } from './samples.js';

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

/** How messages are received: what each receiver has to know, on every page that leads to one. */
export function ReceiverGuide({ publicUrl }: { readonly publicUrl: string }): JSX.Element {
  return (
    <>
      <p>
        Signatures follow the <a href="https://www.standardwebhooks.com/">Standard Webhooks</a> scheme, for which most
        languages have a library.
      </p>
      <ul>
        <li>Answer with any status from 200 to 299 within a few seconds, and do the work afterwards.</li>
        <li>
          Each message arrives at least once: it is resent, with growing pauses, until your receiver accepts it. If an
          answer is lost, the same message comes twice, with the same <code>webhook-id</code>: drop the second.
        </li>
        <li>Answer 410 to get no more messages: the webhook is turned off.</li>
      </ul>
      <p>
        Unless you get alerts by e-mail, it also hears when we do not find your proof of ownership (
        <code>site.proof_unread</code>), and when the site is no longer verified (<code>site.ownership_lost</code>).
      </p>
      <Fold title="A receiver for Node.js">
        <p>
          The secret is in the environment as <code>WEBHOOK_SECRET</code>.
        </p>
        <Snippet text={VERIFY} label="Receiver that verifies messages" />
      </Fold>
      <PostedMessage event={sampleEvent(publicUrl)} />
    </>
  );
}
