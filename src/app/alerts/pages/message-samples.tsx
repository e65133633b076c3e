import type { JSX } from 'preact';
import { Snippet } from '../../../web/kit/components/text.js';
import { Fold } from '../../../web/kit/components/fold.js';
import { Tabs } from '../../../web/kit/components/tabs.js';
import type { SiteChangedEvent } from '../alert-event.js';
import { alertMail } from '../alert-mail.js';
import { ChatPreview } from './chat-preview.js';
import { sampleEvent, sampleForPeople } from './samples.js';

export interface MessageSamplesProps {
  readonly publicUrl: string;
  readonly email: string;
  /** Whether the service sends e-mail. */
  readonly hasMail: boolean;
}

/** The same message in each form in which it arrives, made by what makes them all. */
export function MessageSamples({ publicUrl, email, hasMail }: MessageSamplesProps): JSX.Element {
  return (
    <Tabs
      label="Form of the message"
      name="message"
      panels={[
        ...(hasMail ? [['E-mail', <MailSample {...{ publicUrl, email }} />] as const] : []),
        ['Slack', <ChatPreview format="slack" publicUrl={publicUrl} />],
        ['Discord', <ChatPreview format="discord" publicUrl={publicUrl} />],
        ['Signed JSON', <Snippet text={jsonOf(sampleEvent(publicUrl))} label="Message of a change" />],
      ]}
    />
  );
}

function jsonOf(event: SiteChangedEvent): string {
  return JSON.stringify(event, null, 2);
}

/** Code, which is for those who program a receiver: folded. */
export function PostedMessage({ event }: { readonly event: SiteChangedEvent }): JSX.Element {
  return (
    <Fold title="A message of a change, in JSON">
      <Snippet text={jsonOf(event)} label="Message of a change" />
    </Fold>
  );
}

function MailSample({ publicUrl, email }: Omit<MessageSamplesProps, 'hasMail'>): JSX.Element {
  const { subject, text } = alertMail({ id: '', to: email, event: sampleForPeople(publicUrl), publicUrl });
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
