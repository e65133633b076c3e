import type { JSX } from 'preact';
import { Snippet } from '../../../web/kit/components/text.js';
import { Fold } from '../../../web/kit/components/fold.js';
import { Tabs } from '../../../web/kit/components/tabs.js';
import { describeChange, type SiteChangedEvent } from '../alert-event.js';
import { alertMail } from '../alert-mail.js';
import { sampleEvent } from './samples.js';

export interface MessageSamplesProps {
  readonly publicUrl: string;
  readonly email: string;
  /** Whether the service sends e-mail. */
  readonly hasMail: boolean;
}

/** The same message in each form in which it arrives, made by what makes them all. */
export function MessageSamples({ publicUrl, email, hasMail }: MessageSamplesProps): JSX.Element {
  const event = sampleEvent(publicUrl);
  const posted = (
    <>
      <div class="msg">
        <p class="w6">{alertMail({ id: '', to: email, event, publicUrl }).subject}</p>
        {event.data.changes.map((change) => (
          <p key={change.kind}>{describeChange(change)}</p>
        ))}
      </div>
      <PostedMessage event={event} />
    </>
  );
  if (!hasMail) return posted;
  return (
    <Tabs
      label="Form of the message"
      name="message"
      panels={[
        ['E-mail', <MailSample {...{ publicUrl, email, event }} />],
        ['Webhook', posted],
      ]}
    />
  );
}

/** Code, which is for those who program a receiver: folded. */
export function PostedMessage({ event }: { readonly event: SiteChangedEvent }): JSX.Element {
  return (
    <Fold title="A message of a change, in JSON">
      <Snippet text={JSON.stringify(event, null, 2)} label="Message of a change" />
    </Fold>
  );
}

function MailSample({
  event,
  ...rest
}: Omit<MessageSamplesProps, 'hasMail'> & { readonly event: SiteChangedEvent }): JSX.Element {
  const { subject, text } = alertMail({ id: '', to: rest.email, event, publicUrl: rest.publicUrl });
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
