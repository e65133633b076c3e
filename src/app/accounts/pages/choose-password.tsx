import { Door } from '../../../web/kit/components/door.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import { PASSWORD_HINT } from '../password.js';

export interface ChoosePasswordProps {
  /** Where the form goes to, with the link's token. */
  readonly action: string;
  readonly email: string;
  /** What follows. */
  readonly more: string;
  readonly errors: FieldErrors | null;
}

/** On the page of a used link, for whom pressed the button twice. */
export const JUST_CHOSEN = 'If you have just chosen a password, sign in with it.';

/** What a mailed link leads to: a password, and in. */
export function choosePasswordPage({ action, email, more, errors }: ChoosePasswordProps): Page {
  return {
    title: 'Choose a password',
    styles: ['door.css'],
    hasSecret: true,
    mast: null,
    main: (
      <Door words="One sign-in for all your sites. We keep only a hash of your password.">
        <h1>Choose a password</h1>
        <p class="soft">
          for <bdi>{email}</bdi>. This link works once, within an hour.
        </p>
        <ErrorSummary errors={errors} />
        <form method="post" action={action}>
          {/* Not shown: it tells password managers whose password this is. */}
          <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint={PASSWORD_HINT}
            errors={errors}
          />
          <button type="submit">Save and sign in</button>
        </form>
        <p class="soft small more">{more}</p>
      </Door>
    ),
  };
}
