import { createTransport } from 'nodemailer';

export interface Mail {
  /** The same for each attempt, so that a repeat can be recognised: the Message-ID derives from it. */
  readonly id: string;
  /** One address, validated when the account was created. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The page where the reader can turn off such mail, for the unsubscribe button of mail programs (RFC 2369 §3.2). */
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

export interface MailerOptions {
  /** `smtp://USER:PASSWORD@HOST:PORT`, or `smtps` for TLS from the first byte. */
  readonly server: URL;
  readonly from: MailAddress;
  /** Receives the failure without addresses and passwords, for the log. */
  readonly onFailure: (failure: MailFailure) => void;
}

export interface MailFailure {
  /** The error code, such as EAUTH or ETIMEDOUT. */
  readonly code: string;
  /** The command that failed, such as `RCPT TO`. */
  readonly command: string | null;
  /** The server's status, such as 550. */
  readonly responseCode: number | null;
}

/** Ports for message submission (RFC 8314 §3.3, RFC 6409). */
const SUBMISSIONS_PORT = 465;
const SUBMISSION_PORT = 587;

const CONNECT_MS = 10_000;
const GREETING_MS = 10_000;

/**
 * Timeout for each later answer. A server may take long to process a message before it accepts it (RFC 5321 §4.5.3.2.6); a client
 * that disconnects too soon sends the same message twice.
 */
const ANSWER_MS = 60_000;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Creates a mailer that uses the operator's server, one connection per message. It sends a password only over TLS, unless the server
 * is on this machine.
 */
export function createMailer({ server, from, onFailure }: MailerOptions): SendMail {
  const isTls = server.protocol === 'smtps:';
  const user = decodeURIComponent(server.username);
  const transport = createTransport({
    host: server.hostname.replace(/^\[|\]$/g, ''),
    port: Number(server.port) || (isTls ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    secure: isTls,
    requireTLS: !isTls && user !== '' && !LOOPBACK.test(server.hostname),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(server.password) } }),
    dnsTimeout: CONNECT_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return async ({ id, to, subject, text, unsubscribeUrl }) => {
    try {
      await transport.sendMail({
        from: { ...from },
        // As objects, so that neither is parsed as a list.
        to: { name: '', address: to },
        envelope: { from: from.address, to: [{ name: '', address: to }] },
        subject: oneLine(subject),
        text,
        messageId: `<${id}@${domain}>`,
        headers: {
          // RFC 3834: suppresses automatic replies, such as holiday notices.
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribeUrl !== undefined && { 'List-Unsubscribe': { prepared: true, value: `<${unsubscribeUrl}>` } }),
        },
      });
      return 'sent';
    } catch (error) {
      const { code = 'UNKNOWN', command = null, responseCode = null } = error as Partial<MailFailure>;
      onFailure({ code, command, responseCode });
      // The recipient is refused permanently (RFC 5321 §4.2.1): retrying would only hurt the sender's reputation.
      return command === 'RCPT TO' && responseCode !== null && responseCode >= 500 ? 'refused' : 'failed';
    }
  };
}

/** Removes line breaks, which would start another header field. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
