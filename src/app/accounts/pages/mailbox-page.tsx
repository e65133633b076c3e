import type { ComponentChildren } from 'preact';
import { Door } from '../../../web/kit/components/door.js';
import type { Page } from '../../../web/kit/page.js';
import { OPERATOR_PATH } from '../../../web/kit/public-pages.js';

/** By the code in the address of a page: its form was sent. */
export const SENT = 'sent';

export interface MailboxPageProps {
  /** What was sent: the same whether an account has the address or not. */
  readonly children: ComponentChildren;
  /** Where the form is. */
  readonly again: string;
}

/** Sends the reader to the mailbox. */
export function mailboxPage({ children, again }: MailboxPageProps): Page {
  return {
    title: 'Check your e-mail',
    styles: ['door.css'],
    mast: null,
    main: (
      <Door words="The key is on its way. It fits once.">
        <h1>Check your e-mail</h1>
        <p role="status">{children}</p>
        <p class="soft small more">
          No mail after a few minutes? Look in your spam folder, or <a href={again}>try again</a>. The{' '}
          <a href={OPERATOR_PATH}>operator</a> can help, too.
        </p>
      </Door>
    ),
  };
}
