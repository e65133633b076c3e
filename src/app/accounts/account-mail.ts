import type { Mail } from '../../platform/mail-message.js';

/** A mail about an account, with what it tells. */
export type AccountMail =
  /** A link to a new password. */
  | { readonly kind: 'PASSWORD_LINK'; readonly token: string }
  /** A link that confirms the address of an account that is to be. */
  | { readonly kind: 'SIGN_UP_LINK'; readonly token: string }
  /** The same question, of an address that has an account. */
  | { readonly kind: 'HAS_ACCOUNT' }
  /** At this time: ISO 8601, UTC. */
  | { readonly kind: 'PASSWORD_CHANGED'; readonly at: string };

interface Told {
  readonly subject: string;
  readonly lines: readonly string[];
}

/** @param publicUrl the origin of links */
export function accountMail(id: string, to: string, told: AccountMail, publicUrl: string): Mail {
  const { subject, lines } = tellOf(told, publicUrl);
  return { id, to, subject, text: [...lines, '', '-- ', `Agent Readiness Scan, ${publicUrl}`, ''].join('\n') };
}

const ONCE = 'The link works once, within an hour.';

function tellOf(told: AccountMail, publicUrl: string): Told {
  switch (told.kind) {
    case 'PASSWORD_LINK':
      return {
        subject: 'Choose a new password',
        lines: [
          `Somebody, most likely you, asked for a new password at ${publicUrl}.`,
          '',
          'Choose it here:',
          `${publicUrl}/sign-in/${told.token}`,
          '',
          `${ONCE} A new password signs you out everywhere else.`,
          'If it was not you, do nothing: your password stays as it is.',
        ],
      };
    case 'SIGN_UP_LINK':
      return {
        subject: 'Confirm your e-mail address',
        lines: [
          `Somebody, most likely you, asked for an account at ${publicUrl} with this address.`,
          '',
          'Confirm the address and choose a password here:',
          `${publicUrl}/sign-up/${told.token}`,
          '',
          ONCE,
          'If it was not you, do nothing: there is no account before the link is used.',
        ],
      };
    case 'HAS_ACCOUNT':
      return {
        subject: 'You have an account already',
        lines: [
          `Somebody, most likely you, asked for an account at ${publicUrl} with this address. It has one already.`,
          '',
          `Sign in: ${publicUrl}/sign-in`,
          `Forgot your password? ${publicUrl}/forgot-password`,
          '',
          'If it was not you, do nothing: nothing has changed.',
        ],
      };
    case 'PASSWORD_CHANGED':
      return {
        subject: 'A new password was set',
        lines: [
          `A new password was set for your account at ${publicUrl} on ${dayAndTime(told.at)}. Every other session has ended.`,
          '',
          `Was it not you? Choose another at once, which ends theirs: ${publicUrl}/forgot-password`,
          `Then look at what was done: ${publicUrl}/account/activity`,
          `And revoke your API keys: ${publicUrl}/keys`,
        ],
      };
  }
}

/** `2026-03-15 at 12:00 UTC`. */
function dayAndTime(at: string): string {
  return `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
}
