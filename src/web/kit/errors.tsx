import { InputError } from '../../platform/input-error.js';
import { type Refusal, ServiceError } from '../../platform/errors.js';
import { sendError } from '../../platform/http/json.js';
import type { WebContext } from './context.js';
import type { Link } from './layout.js';
import type { SendPage } from './page.js';
import { FOREIGN_ORIGIN, FOREIGN_WORDS } from './same-origin.js';

const ABSENT = new Set<string>(['not_found', 'site_not_found', 'site_not_owned', 'run_not_found', 'no_completed_run']);

/** By code or status. */
const WORDS: Readonly<Partial<Record<string | number, readonly [title: string, body: string]>>> = {
  not_found: ['Not found', 'There is nothing at this address, or nothing that you may see.'],
  [FOREIGN_ORIGIN]: FOREIGN_WORDS,
  400: ['The request could not be read', 'Go back, and send the form again.'],
  405: ['This address does not accept that', 'Use the links and buttons of the pages.'],
  409: ['The domain is not verified yet', 'Verify its ownership on the page of the site first.'],
  413: ['That is too much text', 'Go back, and enter less.'],
  500: [
    'Something went wrong on our side',
    'Nothing is lost. Try again; if it happens again, give the operator the request id below.',
  ],
  503: ['The service is busy or restarting', 'Nothing is lost. Try again in a few seconds.'],
};

/** How the pages answer an error: with a page, or with JSON where that is asked for. */
export function createSendRefusal(sendPage: SendPage, start: Link): (ctx: WebContext, refusal: Refusal) => void {
  return (ctx, refusal) => {
    // Another account's site answers like one that does not exist, so that ids cannot be found out.
    const shown = ABSENT.has(refusal.code) ? new ServiceError('not_found') : refusal;
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') === 'html') sendRefusalPage(ctx, shown, sendPage, ctx.state.viewer ? start : HOME);
    else sendError(ctx, shown);
  };
}

function wordsOf(refusal: Refusal): readonly [title: string, body: string] {
  const { code, status, message } = refusal;
  if (refusal instanceof InputError) return [status === 429 ? 'Too soon' : 'That cannot be done', message];
  return WORDS[code] ?? WORDS[status] ?? ['That cannot be done', message];
}

const HOME: Link = ['/', 'Home'];

function sendRefusalPage(ctx: WebContext, refusal: Refusal, sendPage: SendPage, [path, label]: Link): void {
  const { status } = refusal;
  const [title, body] = wordsOf(refusal);
  sendPage(ctx, {
    title,
    status,
    main: (
      <>
        <h1>{title}</h1>
        <p>{body}</p>
        {status >= 500 && (
          <p>
            Request id: <code>{ctx.state.requestId}</code>
          </p>
        )}
        <p>
          <a href={path}>{label}</a>
        </p>
      </>
    ),
  });
}
