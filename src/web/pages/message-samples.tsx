import type { JSX } from 'preact';
import { Snippet } from '../html/text.js';
import { Fold } from '../html/fold.js';
import { Tabs } from '../html/tabs.js';
import type { SiteChangedEvent } from '../../app/alerts/messages.js';
import { alertMail, chatText } from '../../app/alerts/words.js';
import { sampleEvent } from './samples.js';

export interface MessageSamplesProps {
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

function jsonOf(event: SiteChangedEvent): string {
  return JSON.stringify(event, null, 2);
}

export function PostedMessage({ event }: { readonly event: SiteChangedEvent }): JSX.Element {
  return (
    <Fold title="A message of a change, in JSON">
      <Snippet text={jsonOf(event)} label="Message of a change" />
    </Fold>
  );
}

/** The message as people read it in a chat. */
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
