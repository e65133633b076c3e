import type { JSX } from 'preact';
import { type Message, siteChangedMessage } from '../../app/alerts/messages.js';
import { FORMATS } from '../../app/alerts/webhook-format.js';
import type { Webhook } from '../../app/alerts/webhooks.js';
import { chatText } from '../../app/alerts/words.js';
import { headlineOf, titleOf } from '../../scanner/report/failures.js';
import { Fold, Group } from '../html/sections.js';
import { Snippet } from '../html/text.js';
import { PUBLIC_PAGES } from '../server/paths.js';

interface ReceiverGuideProps {
  readonly format: Webhook['format'];
  readonly publicUrl: string;
}

/** An example of what a webhook gets; for a signed one, also what its receiver has to do. */
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
        languages have a library. The <a href={PUBLIC_PAGES.api.path}>API reference</a> describes every message.
      </p>
      <ul>
        <li>
          <b>Answer 200 to 299</b> within a few seconds, and do the work afterwards.
        </li>
        <li>
          <b>Handle duplicates.</b> We resend a message, with growing pauses, until your receiver accepts it, always
          with the same <code>webhook-id</code>.
        </li>
        <li>
          <b>Answer 410</b> to get no more messages: the webhook is turned off.
        </li>
        <li>
          <b>Check the type.</b> Unless you get alerts by e-mail, it also gets messages about a missing proof of
          ownership.
        </li>
      </ul>
      <Fold title="Example message">
        <Snippet text={JSON.stringify(event, null, 2)} label="Message of a change" />
      </Fold>
    </Group>
  );
}

const LOST = { checkId: 'C-LLMS-01', errorType: 'MISSING', title: titleOf('C-LLMS-01') } as const;

/** A message that the service could have sent: a site lost its llms.txt. */
export function sampleEvent(publicUrl: string): Message<'site.changed'> {
  const finishedAt = '2026-03-15T12:00:00.000Z';
  const [from, to] = [100, 93];
  return siteChangedMessage(
    {
      site: { id: 'site_k4tq7mzx2wvn5rhd3ycp', hostname: 'www.example.com' },
      run: { number: 13, reference: 'CR-000013', score: to, trigger: 'POST_DEPLOY', finishedAt },
      previousScore: from,
      commit: '4f2a1c9',
      changes: [
        { kind: 'SCORE_FELL', from, to },
        { kind: 'CHECK_FAILING', ...LOST, headline: headlineOf(LOST) },
      ],
    },
    publicUrl,
    new Date(finishedAt),
  );
}
