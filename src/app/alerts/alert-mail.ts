import type { MailedEvent } from './alert-event.js';
import { tellOf } from './tell.js';
import type { ToldLine } from './told.js';
import type { Mail } from '../../platform/mail-message.js';

export interface MailedAlert {
  readonly id: string;
  readonly to: string;
  readonly event: MailedEvent;
  /** The origin of links. */
  readonly publicUrl: string;
}

const ALERTS = 'alerts by e-mail are on for your account. Turn them off';
const DIGEST = 'the weekly digest is on for your account. Turn it off';

/** The message for people: what happened, where to look, where to turn it off. The same words at every attempt, except that a digest leaves out what was removed meanwhile. */
export function alertMail({ id, to, event, publicUrl }: MailedAlert): Mail {
  const { subject, lines } = tellOf(event, publicUrl);
  const unsubscribeUrl = `${publicUrl}/alerts`;
  const foot = `You get this because ${event.type === 'digest.weekly' ? DIGEST : ALERTS}: ${unsubscribeUrl}`;
  return { id, to, subject, text: [...lines.flatMap(writeLine), '', '-- ', foot, ''].join('\n'), unsubscribeUrl };
}

function writeLine(line: ToldLine): string[] {
  if (typeof line === 'string') return [line];
  if ('pins' in line) return [`  ${line.pins}`];
  if ('link' in line) return [`${line.link}: ${line.url}`];
  return [`- ${line.item}`, ...(line.url === undefined ? [] : [`  ${line.url}`])];
}
