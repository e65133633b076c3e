import type { JSX } from 'preact';
import { Snippet } from '../html/text.js';
import { Fold } from '../html/fold.js';
import { Tabs } from '../html/tabs.js';
import { type Message, siteChanged } from '../../app/alerts/messages.js';
import { alertMail, chatText } from '../../app/alerts/words.js';
import { headlineOf, titleOf } from '../../scanner/report/failures.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import { scoreOf } from '../../scanner/report/score.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';

interface MessageSamplesProps {
  readonly publicUrl: string;
  readonly email: string;
  /** True if the service sends e-mail. */
  readonly hasMail: boolean;
}

/** The same message in each format. */
export function MessageSamples({ publicUrl, email, hasMail }: MessageSamplesProps): JSX.Element {
  return (
    <Tabs
      label="Format of the message"
      name="message"
      panels={[
        ...(hasMail ? [['E-mail', <MailSample {...{ publicUrl, email }} />] as const] : []),
        ['Slack and Discord', <ChatSample publicUrl={publicUrl} />],
        ['Signed JSON', <Snippet text={jsonOf(sampleEvent(publicUrl))} label="Message of a change" />],
      ]}
    />
  );
}

function jsonOf(event: Message<'site.changed'>): string {
  return JSON.stringify(event, null, 2);
}

export function PostedMessage({ event }: { readonly event: Message<'site.changed'> }): JSX.Element {
  return (
    <Fold title="A message of a change, in JSON">
      <Snippet text={jsonOf(event)} label="Message of a change" />
    </Fold>
  );
}

/** The message as a chat shows it. */
export function ChatSample({ publicUrl }: { readonly publicUrl: string }): JSX.Element {
  return <Snippet text={chatText(sampleEvent(publicUrl), publicUrl)} label="Message to a chat" />;
}

function MailSample({ publicUrl, email }: Omit<MessageSamplesProps, 'hasMail'>): JSX.Element {
  const { subject, text } = alertMail({ id: '', to: email, event: sampleEvent(publicUrl), publicUrl });
  return (
    <div class="msg">
      <p class="soft small">Subject</p>
      <p class="w6">{subject}</p>
      {text
        .split('\n')
        .filter((line) => line.trim() !== '' && line !== '-- ')
        .map((line) => (
          <p key={line}>{line}</p>
        ))}
    </div>
  );
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
