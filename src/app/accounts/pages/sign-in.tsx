import type { JSX } from 'preact';
import { ErrorSummary, Field } from '../../../web/components/form.js';
import { Notice } from '../../../web/components/text.js';
import { queryOf, seeOther } from '../../../web/exchange.js';
import { fieldOf, type FieldErrors, tryLimitedForm } from '../../../web/form.js';
import { Heading } from '../../../web/layout.js';
import type { Page } from '../../../web/page.js';
import type { Part } from '../../../web/part.js';
import { enter } from './enter.js';
import { nextPage } from './next-page.js';

/** Coming in by e-mail address and password, and going out. */
export const addSignInRoutes: Part = (router, deps) => {
  const { signIn, sessionCookie, sendPage, publicUrl } = deps;
  router.get('/sign-in', (exchange) => {
    const next = queryOf(exchange, 'next');
    if (exchange.state.session) seeOther(exchange, nextPage(next, publicUrl));
    else sendPage(exchange, signInPage({ next, isSignedOut: queryOf(exchange, 'done') === 'signed-out' }));
  });

  router.post('/sign-in', async (exchange) => {
    const [email, next] = [fieldOf(exchange, 'email'), fieldOf(exchange, 'next')];
    const rejection = await tryLimitedForm(exchange, '', async () => {
      const password = fieldOf(exchange, 'password');
      const session = await signIn.withPassword({ email, password, clientAddress: exchange.ip });
      await enter(exchange, deps, session, nextPage(next, publicUrl));
    });
    if (rejection) sendPage(exchange, signInPage({ email, next, ...rejection }));
  });

  router.post('/sign-out', async (exchange) => {
    const token = sessionCookie.read(exchange);
    if (token !== undefined) await signIn.signOut(token);
    sessionCookie.clear(exchange);
    seeOther(exchange, '/sign-in?done=signed-out');
  });
};

interface SignInPageProps {
  readonly next: string;
  readonly email?: string;
  readonly isSignedOut?: boolean;
  readonly status?: number;
  readonly errors?: FieldErrors;
}

function signInPage({ status = 200, ...props }: SignInPageProps): Page {
  return {
    title: 'Sign in',
    description: 'Sign in to see your sites, their runs, and your API keys.',
    status,
    main: <SignInForm {...props} />,
  };
}

function SignInForm({ next, email = '', isSignedOut = false, errors }: Omit<SignInPageProps, 'status'>): JSX.Element {
  return (
    <>
      <ErrorSummary errors={errors ?? null} />
      {isSignedOut && <Notice>You are signed out.</Notice>}
      <Heading>Sign in</Heading>
      <form method="post" action="/sign-in">
        {next !== '' && <input type="hidden" name="next" value={next} />}
        <Field name="email" label="E-mail address" type="email" value={email} autocomplete="username" />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
        <button type="submit">Sign in</button>
      </form>
      <p class="muted">
        No account, or a forgotten password? The operator of this service makes accounts, and one-time links that set a
        new password.
      </p>
    </>
  );
}
