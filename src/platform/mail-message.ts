/** A message by e-mail, text only. */
export interface Mail {
  /** The same for each attempt, so that a repeat can be recognised: it makes the Message-ID. */
  readonly id: string;
  /** One address, as it was checked when the account was made. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** `refused`: the server will not take it for this address, however often it is asked. `failed`: it may, later. */
export type MailOutcome = 'sent' | 'refused' | 'failed';

/** Never rejects. */
export type SendMail = (mail: Mail) => Promise<MailOutcome>;

/** Who sends: `Agent Readiness <alerts@example.com>`. */
export interface MailAddress {
  /** Empty where there is none. */
  readonly name: string;
  readonly address: string;
}
