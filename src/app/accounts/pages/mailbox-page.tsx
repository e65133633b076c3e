import type { ComponentChildren, JSX } from 'preact';
import { Door } from '../../../web/kit/components/door.js';
import { ActionButton, Field } from '../../../web/kit/components/form.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import { OPERATOR_PATH } from '../../../web/kit/public-pages.js';

export interface AskForLinkProps {
  /** Where the form goes to. */
  readonly action: string;
  readonly email: string;
  /** What the link is for. */
  readonly hint: string;
  readonly errors: FieldErrors | null;
}

/** The form that has a link mailed. */
export function AskForLink({ action, email, hint, errors }: AskForLinkProps): JSX.Element {
  return (
    <form method="post" action={action}>
      <Field
        name="email"
        label="E-mail address"
        type="email"
        value={email}
        autocomplete="username"
        hint={hint}
        errors={errors}
      />
      <button type="submit">Send the link</button>
    </form>
  );
}

export interface MailboxPageProps extends Pick<AskForLinkProps, 'action' | 'email'> {
  /** What was sent: the same whether an account has the address or not. */
  readonly children: ComponentChildren;
}

/** Sends the reader to the mailbox. It answers the form itself: the address that was typed stands in no other. */
export function mailboxPage({ children, action, email }: MailboxPageProps): Page {
  return {
    title: 'Check your e-mail',
    styles: ['door.css'],
    mast: null,
    main: (
      <Door words="The key is on its way. It fits once.">
        <h1>Check your e-mail</h1>
        <p role="status">{children}</p>
        <p class="soft small more">
          No mail after a few minutes? Look in your spam folder, have it sent again, or give{' '}
          <a href={action}>another address</a>. The <a href={OPERATOR_PATH}>operator</a> can help, too.
        </p>
        <ActionButton action={action} kind="quiet" fields={{ email }}>
          Send it again
        </ActionButton>
      </Door>
    ),
  };
}
