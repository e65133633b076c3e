import type { JSX } from 'preact';
import { type Message, siteChanged } from '../../app/alerts/messages.js';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import type { Webhook } from '../../app/alerts/webhooks.js';
import { alertMail, chatText } from '../../app/alerts/words.js';
import { headlineOf, titleOf } from '../../scanner/report/failures.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Fold } from '../html/fold.js';
import { Group } from '../html/page-header.js';
import { Tabs } from '../html/tabs.js';
import { Snippet } from '../html/text.js';
import type { Page } from '../server/page.js';
import { shownOncePage } from '../server/shown-once.js';
import { ALERTS, webhookPath } from './alerts-form.js';

interface MessageSamplesProps {
  readonly publicUrl: string;
  /** Null if the service sends no e-mail. */
  readonly email: string | null;
}

/** The same message in each format. */
export function MessageSamples({ publicUrl, email }: MessageSamplesProps): JSX.Element {
  const event = sampleEvent(publicUrl);
  const mail = email === null ? null : alertMail(event, { id: '', to: email }, publicUrl);
  const samples = [
    ...(mail ? [['E-mail', `Subject: ${mail.subject}\n\n${mail.text.trim()}`] as const] : []),
    ['Slack and Discord', chatText(event, publicUrl)],
    ['Signed JSON', JSON.stringify(event, null, 2)],
  ] as const;
  const panels = samples.map(([title, text]) => [title, <Snippet text={text} label={`Message, ${title}`} />] as const);
  return <Tabs label="Format of the message" name="message" panels={panels} />;
}

/** A complete receiver for Node.js that verifies messages. */
const RECEIVER = `// npm install standardwebhooks
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

interface ReceiverGuideProps {
  readonly format: Webhook['format'];
  readonly publicUrl: string;
}

/** What a webhook gets; for a signed one, instructions for the developers of its receiver. */
export function ReceiverGuide({ format, publicUrl }: ReceiverGuideProps): JSX.Element {
  const event = sampleEvent(publicUrl);
  if (format !== 'signed') {
    return (
      <Group title="Example message" meaning={`as ${FORMATS[format]} gets it`}>
        <Snippet text={chatText(event, publicUrl)} label="Message to a chat" />
      </Group>
    );
  }
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
        <Snippet text={RECEIVER} label="Receiver that verifies messages" />
      </Fold>
      <Fold title="A message of a change, in JSON">
        <Snippet text={JSON.stringify(event, null, 2)} label="Message of a change" />
      </Fold>
    </Group>
  );
}

/** The only page that shows a webhook's secret. @param isNew false if the secret replaces another */
export function secretPage({ id, host, address }: Webhook, secret: string, publicUrl: string, isNew: boolean): Page {
  const page = webhookPath(id);
  return shownOncePage({
    title: isNew ? 'Webhook added' : 'New secret',
    status: isNew ? 201 : 200,
    heading: 'Copy the secret now',
    crumbs: [
      [ALERTS, 'Alerts'],
      [page, host],
    ],
    words: (
      <>
        <b>{isNew ? 'The webhook is added.' : 'The webhook has a new secret.'}</b> Give it to the receiver at{' '}
        <code>{address}</code>: every message is signed with it
        {!isNew && ', and no longer with the previous one'}. Then send a test from the <a href={page}>webhook’s page</a>
        , where you can also replace the secret.
      </>
    ),
    secret,
    label: 'Secret of the webhook',
    what: 'secret',
    doneAt: page,
    children: <ReceiverGuide format="signed" publicUrl={publicUrl} />,
  });
}

/** The results of a site that lost its llms.txt; the other checks pass. */
const LOST: Readonly<Record<string, Result>> = {
  'C-LLMS-01': 'FAIL',
  'C-LLMS-02': 'NOT_APPLICABLE',
  'C-LLMS-03': 'NOT_APPLICABLE',
  'C-LLMS-04': 'NOT_APPLICABLE',
};
const LOST_CHECK = { checkId: 'C-LLMS-01', errorType: 'MISSING', title: titleOf('C-LLMS-01') } as const;
const BEFORE = 100;

/** A message that the service could have sent. */
export function sampleEvent(publicUrl: string): Message<'site.changed'> {
  const at = '2026-03-15T12:00:00.000Z';
  const checks = WAITING_PINS.flatMap(({ pins }) => pins);
  const score = scoreOf(checks.map(({ checkId, scored }) => ({ scored, result: LOST[checkId] ?? 'PASS' }))) ?? 0;
  const headline = headlineOf(LOST_CHECK);
  return siteChanged(
    {
      site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'www.example.com' },
      run: { number: 13, reference: 'CR-000013', score, trigger: 'POST_DEPLOY', finishedAt: at },
    },
    {
      previousScore: BEFORE,
      commit: '4f2a1c9',
      changes: [
        { kind: 'SCORE_FELL', from: BEFORE, to: score },
        { kind: 'CHECK_FAILING', ...LOST_CHECK, headline },
      ],
    },
    { publicUrl, now: new Date(at) },
  );
}
