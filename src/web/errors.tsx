import type { ComponentChildren } from 'preact';
import { ERRORS, ServiceError, type ErrorCode } from '../platform/errors.js';
import { InputError, TooSoonError } from '../platform/input-error.js';
import { logFault } from '../platform/http/boundary.js';
import type { Logger } from '../platform/logging.js';
import { type Exchange, seeOther, SignInNeeded } from './exchange.js';
import type { SendPage } from './page.js';
import { ForeignOriginError } from './same-origin.js';

/** What a person reads in place of a page, and what a program reads that asks for JSON. */
interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly body: ComponentChildren;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterS?: number | undefined;
}

/** Another account's site answers like one that does not exist, so that nobody learns which ids there are. */
const ABSENT = new Set<ErrorCode>([
  'not_found',
  'site_not_found',
  'site_not_owned',
  'run_not_found',
  'no_completed_run',
]);

const WORDS: Readonly<Partial<Record<number, readonly [title: string, body: string]>>> = {
  400: ['The request could not be read', 'Go back, and send the form again.'],
  405: ['This address does not accept that', 'Use the links and buttons of the pages.'],
  409: ['The domain is not verified yet', 'Verify its ownership on the page of the site first.'],
  413: ['That was too much text', 'Go back, and give less.'],
  500: [
    'Something went wrong on our side',
    'Nothing of yours is lost. Try again; if it stays, tell the operator the request id below.',
  ],
  503: ['The service is busy or restarting', 'Nothing of yours is lost. Try again in a few seconds.'],
};

/** Answers whatever was thrown: with a page, or with JSON where that is asked for. */
export function refuse(sendPage: SendPage, logger: Logger): (exchange: Exchange, error: unknown) => void {
  return (exchange, error) => {
    if (error instanceof SignInNeeded) {
      const next = exchange.method === 'GET' ? `?next=${encodeURIComponent(exchange.url)}` : '';
      seeOther(exchange, `/sign-in${next}`);
      return;
    }
    const refusal = describe(exchange, error, logger);
    exchange.set('Cache-Control', 'no-store');
    if (refusal.retryAfterS !== undefined) exchange.set('Retry-After', String(refusal.retryAfterS));
    exchange.vary('Accept');
    if (exchange.accepts('json', 'html') === 'html') sendRefusalPage(exchange, refusal, sendPage);
    else {
      exchange.status = refusal.status;
      exchange.body = { error: { code: refusal.code, message: refusal.message } };
    }
  };
}

function describe(exchange: Exchange, error: unknown, logger: Logger): Refusal {
  if (error instanceof ForeignOriginError) {
    const title = 'This form did not come from our pages';
    const body = 'Open the page here, and send the form again. Forms that another site sends are refused.';
    return { status: 403, title, body, code: 'bad_request', message: `${title}. ${body}` };
  }
  if (error instanceof InputError) {
    const isTooSoon = error instanceof TooSoonError;
    return {
      status: isTooSoon ? 429 : 422,
      title: isTooSoon ? 'Too soon' : 'That cannot be done',
      body: error.message,
      code: isTooSoon ? 'overloaded' : 'bad_request',
      message: error.message,
      retryAfterS: isTooSoon ? error.retryAfterS : undefined,
    };
  }
  const refusal = error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
  logFault(logger, exchange, refusal);
  const code = ABSENT.has(refusal.code) ? 'not_found' : refusal.code;
  const { status, message } = ERRORS[code];
  const retryAfterS = refusal.retryAfterS ?? (status === 503 ? 5 : undefined);
  const [title, body] =
    code === 'not_found'
      ? ['Not found', 'There is nothing at this address, or nothing that you may see.']
      : (WORDS[status] ?? ['That cannot be done', message]);
  return { status, title, body, code, message, retryAfterS };
}

function sendRefusalPage(exchange: Exchange, { status, title, body }: Refusal, sendPage: SendPage): void {
  sendPage(exchange, {
    title,
    status,
    main: (
      <>
        <h1>{title}</h1>
        <p>{body}</p>
        {status >= 500 && (
          <p>
            Request id: <code>{exchange.state.requestId}</code>
          </p>
        )}
        <p>
          <a href={exchange.state.session ? '/sites' : '/'}>{exchange.state.session ? 'Your sites' : 'Home'}</a>
        </p>
      </>
    ),
  });
}
