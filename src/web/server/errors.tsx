import type { ComponentChildren } from 'preact';
import { InputError, type Refusal, ServiceError } from '../../platform/errors.js';
import { sendError } from '../../platform/http/answer.js';
import { type PinGroup, WAITING_PINS } from '../../scanner/report/pins.js';
import { ScanForm } from '../html/form.js';
import { Pins } from '../html/pins.js';
import type { Page, WebContext } from './page.js';
import { sendPage } from './routes.js';
import { LinkButton } from '../html/sections.js';

const MISSING_CODES = new Set<string>(['not_found', 'site_not_found', 'site_not_owned', 'no_completed_run']);

/** Key of the words that members see for a missing page below `/sites`. */
const MISSING_SITE = 'site';

/** Title and lead by error code or HTTP status. */
const WORDS: Readonly<Partial<Record<string | number, readonly [title: string, lead: string]>>> = {
  not_found: ['There is no page here', 'It may have moved. Check the address.'],
  [MISSING_SITE]: [
    'There is no such site here',
    'Check the address. The site may have been removed, or may be in another account.',
  ],
  run_not_found: ['Run not found', 'Check the number in the address, or go to the list of runs.'],
  foreign_origin: [
    'This form was not sent from our pages',
    'Open the page here, and send the form again. Forms that another site sends are refused.',
  ],
  400: ['The request could not be read', 'Go back, and send the form again.'],
  405: ['This address does not accept that', 'Use the links and buttons on the pages.'],
  409: ['The domain is not verified yet', 'Verify it on the site’s page first.'],
  413: [
    'That is too much text',
    'A form takes up to 64 kB, and nothing was changed. Go back and send less, such as half of a list.',
  ],
  500: ['Something went wrong on our end', 'It is neither your site nor anything you did. We have logged the error.'],
  503: ['Busy for a moment', 'The service is busy or restarting. Nothing is lost.'],
};

/** Answers an error with a page, or with JSON if the client prefers it. */
export function sendRefusal(ctx: WebContext, refusal: Refusal): void {
  // Another account's site answers like a missing one, so that ids cannot be guessed.
  const shown = MISSING_CODES.has(refusal.code) ? new ServiceError('not_found') : refusal;
  ctx.vary('Accept');
  if (ctx.accepts('json', 'html') === 'html') sendPage(ctx, refusalPage(ctx, shown));
  else sendError(ctx, shown);
}

function wordsOf(ctx: WebContext, refusal: Refusal): readonly [title: string, lead: string] {
  const { status, code, message } = refusal;
  if (refusal instanceof InputError) return [status === 429 ? 'Too soon' : 'That cannot be done', message];
  const isSitePage = code === 'not_found' && ctx.state.session && ctx.path.startsWith('/sites/');
  const words = WORDS[isSitePage ? MISSING_SITE : code] ?? WORDS[status];
  return words ?? [status === 429 ? 'Too many requests' : 'That cannot be done', message];
}

function refusalPage(ctx: WebContext, refusal: Refusal): Page {
  const { status, retryAfterS = 0 } = refusal;
  const { session, requestId } = ctx.state;
  const [title, lead] = wordsOf(ctx, refusal);
  const isNotFound = status === 404;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const willRetry = status === 503 && isRead;
  if (willRetry) ctx.set('Refresh', String(retryAfterS));
  return {
    title,
    status,
    header: null,
    main: (
      <ErrorPage title={title} lead={lead} pins={status === 503 ? WAITING_PINS : undefined}>
        {isNotFound && !session && <ScanForm label="Scan a site instead" />}
        {isNotFound && session && (
          <p>
            <LinkButton href="/sites" label="Your sites" />
          </p>
        )}
        {willRetry && <p class="soft">This page tries again in {retryAfterS} seconds.</p>}
        {status >= 500 && !isRead && <p>Go back, and send the form again.</p>}
        {status >= 500 && isRead && (
          <p>
            <LinkButton icon="again" href="" label="Try again" />
          </p>
        )}
        {status >= 500 && !willRetry && (
          <p class="hint more">
            When you contact the operator, quote <code>{requestId}</code>.
          </p>
        )}
      </ErrorPage>
    ),
  };
}

interface ErrorPageProps {
  readonly title: ComponentChildren;
  readonly lead: ComponentChildren;
  /** Defaults to {@link INCOMPLETE_PINS}. */
  readonly pins?: readonly PinGroup[] | undefined;
  readonly children?: ComponentChildren;
}

/** Says what went wrong and what to do. */
export function ErrorPage({ title, lead, pins = INCOMPLETE_PINS, children }: ErrorPageProps) {
  return (
    <div class="w hero short">
      <div>
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        {children}
      </div>
      <div>
        <Pins groups={pins} size="pins-l" isDecorative />
      </div>
    </div>
  );
}

/** One pin is missing, like the page. */
export const INCOMPLETE_PINS: readonly PinGroup[] = WAITING_PINS.map((group) => ({
  ...group,
  pins: group.pins.map((pin) => (pin.checkId === 'C-WK-02' ? { ...pin, state: 'NOT_APPLICABLE' } : pin)),
}));
