/** A plain-text e-mail. */
export interface Mail {
  /** The same for each attempt, so that a repeat can be recognised: the Message-ID derives from it. */
  readonly id: string;
  /** One address, validated when the account was created. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Where its reader turns such mails off: for the button that mail programs show (RFC 2369 §3.2). */
  readonly unsubscribeUrl?: string;
}

/** `refused`: the server will never accept it for this address. `failed`: it may accept it later. */
export type MailOutcome = 'sent' | 'refused' | 'failed';

/** Never rejects. */
export type SendMail = (mail: Mail) => Promise<MailOutcome>;

/** The sender: `Agent Readiness <alerts@example.com>`. */
export interface MailAddress {
  /** Empty if there is none. */
  readonly name: string;
  readonly address: string;
}
