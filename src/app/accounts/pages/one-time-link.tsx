import type { JSX } from 'preact';
import { PASSWORD_CHARS_MIN } from '../password.js';
import type { GoodLink } from '../sign-in.js';
import { ErrorSummary, Field } from '../../../web/kit/components/form.js';
import { paramOf } from '../../../web/kit/context.js';
import { addForm, fieldOf, type FieldErrors } from '../../../web/kit/form.js';
import { Heading } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { Part } from '../../part.js';
import { enter } from './enter.js';

/**
 * A one-time link: looking at it, as mail scanners do with every link, does not use it; its button does. The token is in the
 * address, so the page is kept nowhere.
 */
export const addOneTimeLinkRoutes: Part = (router, deps) => {
  const { signIn, deviceCookie, sendPage } = deps;
  addForm(router, sendPage, {
    path: '/sign-in/:token',
    load: (ctx) => paramOf(ctx, 'token'),
    async submit(ctx, token) {
      const session = await signIn.useLink({
        ...{ token, password: fieldOf(ctx, 'password') },
        device: deviceCookie.read(ctx),
      });
      await enter(ctx, deps, session, '/sites');
    },
    async render(ctx, token, errors) {
      ctx.set('Cache-Control', 'no-store');
      const link = await signIn.readLink(token);
      return link ? linkPage(token, link, errors) : spentPage();
    },
  });
};

function linkPage(token: string, { email, hasPassword }: GoodLink, errors: FieldErrors | null): Page {
  return {
    title: hasPassword ? 'Sign in by one-time link' : 'Choose your password',
    main: (
      <>
        <ErrorSummary errors={errors} />
        <Heading lead={`For the account ${email}. This link works once.`}>
          {hasPassword ? 'Sign in by one-time link' : 'Choose your password'}
        </Heading>
        <form method="post" action={`/sign-in/${token}`}>
          {/* Not shown: it tells password managers whose password this is. */}
          <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
          <PasswordField hasPassword={hasPassword} errors={errors} />
          <button type="submit">{hasPassword ? 'Sign in' : 'Set password and sign in'}</button>
        </form>
      </>
    ),
  };
}

function PasswordField(props: { readonly hasPassword: boolean; readonly errors: FieldErrors | null }): JSX.Element {
  const { hasPassword, errors } = props;
  return hasPassword ? (
    <Field
      name="password"
      label="New password (optional)"
      type="password"
      autocomplete="new-password"
      required={false}
      hint={`Leave it empty to keep the one you have. A new one needs at least ${PASSWORD_CHARS_MIN} characters, and signs you out everywhere else.`}
      errors={errors}
    />
  ) : (
    <Field
      name="password"
      label="Password"
      type="password"
      autocomplete="new-password"
      hint={`At least ${PASSWORD_CHARS_MIN} characters of any kind. Four or five words that do not belong together are easy to remember.`}
      errors={errors}
    />
  );
}

/** One answer for links that were used, are too old, or never were. */
function spentPage(): Page {
  return {
    title: 'This link is no longer good',
    status: 404,
    main: (
      <>
        <Heading>This link is no longer good</Heading>
        <p>
          A one-time link works once, within an hour, and not after a newer password was set. If you have a password,{' '}
          <a href="/sign-in">sign in with it</a>. If not, ask the operator of this service for a new link.
        </p>
      </>
    ),
  };
}
