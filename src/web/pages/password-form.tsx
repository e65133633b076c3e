import type { JSX } from 'preact';
import { Field } from '../html/form.js';
import type { FieldErrors } from '../server/form.js';
import { PASSWORD_HINT } from '../../app/accounts/new-password.js';

export interface PasswordFormProps {
  readonly email: string;
  /** False for the form that sets the first one. */
  readonly hasPassword: boolean;
  readonly errors: FieldErrors | null;
}

/** The form that sets or changes the password. */
export function PasswordForm({ email, hasPassword, errors }: PasswordFormProps): JSX.Element {
  const action = hasPassword ? 'Change password' : 'Set password';
  return (
    <form method="post" action="/account/password">
      {/* Hidden: tells password managers whose password this is. */}
      <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
      {hasPassword && (
        <Field
          name="current"
          label="Current password"
          type="password"
          autocomplete="current-password"
          errors={errors}
        />
      )}
      <Field
        name="password"
        label={hasPassword ? 'New password' : 'Password'}
        type="password"
        autocomplete="new-password"
        hint={`${PASSWORD_HINT}${hasPassword ? ' It signs you out everywhere else.' : ''}`}
        errors={errors}
      />
      <button type="submit">{action}</button>
    </form>
  );
}
