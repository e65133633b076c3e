import type { ComponentChildren, JSX } from 'preact';
import { InputError } from '../../platform/input-error.js';
import { type Refusal, ServiceError } from '../../platform/errors.js';
import { sendError } from '../../platform/http/answer.js';
import { WAITING_PINS } from '../../scanner/report/pins.js';
import { ErrorPage, type Way } from '../html/error-page.js';
import { Icon } from '../html/icons.js';
import { Pins } from '../html/pins.js';
import type { WebContext } from './context.js';
import type { Navigation } from '../html/layout.js';
import type { SendPage } from './page.js';
import { PUBLIC_PAGES } from './public-pages.js';
import { FOREIGN_ORIGIN, FOREIGN_WORDS } from './form.js';
import { ScanForm } from '../html/scan-form.js';

const ABSENT = new Set<string>(['not_found', 'site_not_found', 'site_not_owned', 'no_completed_run']);

/** The code of a missing page below `/sites`, for members. */
const SITE_ABSENT = 'site';

/** Words by code or status. */
const WORDS: Readonly<Partial<Record<string | number, readonly [title: string, lead: string]>>> = {
  not_found: ['There is no page here', 'It may have moved. Check the address.'],
  [SITE_ABSENT]: ['There is no such site here', 'Check the address. The site may be removed, or in another account.'],
  run_not_found: ['Run not found', 'Check the number in the address, or go to the list of runs.'],
  [FOREIGN_ORIGIN]: FOREIGN_WORDS,
  400: ['The request could not be read', 'Go back, and send the form again.'],
  405: ['This address does not accept that', 'Use the links and buttons of the pages.'],
  409: ['The domain is not verified yet', 'Verify its ownership on the page of the site first.'],
  413: [
    'That is too much text',
    'A form takes up to 64 kB, and nothing was changed. Go back and send less, such as half of a list.',
  ],
  500: ['Something went wrong on our end', 'It is not your site, and nothing that you did. We have a record of it.'],
  503: ['Busy for a moment', 'The service is busy or restarting. Nothing is lost.'],
};

/** The picture of a page that is only late. */
const WHOLE = <Pins groups={WAITING_PINS} size="pins-l" isDecorative />;

/** Answers an error with a page, or with JSON if the client prefers it. */
export function createSendRefusal(
  sendPage: SendPage,
  navigation: Navigation,
): (ctx: WebContext, refusal: Refusal) => void {
  return (ctx, refusal) => {
    // Another account's site answers like one that does not exist, so that ids cannot be found out.
    const shown = ABSENT.has(refusal.code) ? new ServiceError('not_found') : refusal;
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') === 'html') sendRefusalPage(ctx, shown, sendPage, navigation);
    else sendError(ctx, shown);
  };
}

function wordsOf(ctx: WebContext, refusal: Refusal): readonly [title: string, lead: string] {
  const { status, message } = refusal;
  const isOfSite = refusal.code === 'not_found' && ctx.state.viewer && ctx.path.startsWith('/sites/');
  const code = isOfSite ? SITE_ABSENT : refusal.code;
  if (refusal instanceof InputError) return [status === 429 ? 'Too soon' : 'That cannot be done', message];
  return WORDS[code] ?? WORDS[status] ?? [status === 429 ? 'Too many for now' : 'That cannot be done', message];
}

function sendRefusalPage(ctx: WebContext, refusal: Refusal, sendPage: SendPage, navigation: Navigation): void {
  const { status, retryAfterS = 0 } = refusal;
  const [title, lead] = wordsOf(ctx, refusal);
  const canRepeat = ctx.method === 'GET' || ctx.method === 'HEAD';
  const isRetried = status === 503 && canRepeat;
  if (isRetried) ctx.set('Refresh', String(retryAfterS));
  sendPage(ctx, {
    title,
    status,
    header: null,
    main: (
      <ErrorPage
        {...{ title, lead }}
        ways={waysOn(ctx, status, navigation)}
        {...(status === 503 && { picture: WHOLE })}
      >
        {status === 404 && <Instead ctx={ctx} navigation={navigation} />}
        {isRetried && <p class="soft">This page tries again in {retryAfterS} seconds.</p>}
        {status >= 500 && !canRepeat && <p>Go back, and send the form again.</p>}
        {status >= 500 && canRepeat && <TryAgain />}
        {status >= 500 && !isRetried && <RequestId>{ctx.state.requestId}</RequestId>}
      </ErrorPage>
    ),
  });
}

/** What to do on a page that does not exist. */
function Instead({ ctx, navigation }: { readonly ctx: WebContext; readonly navigation: Navigation }): JSX.Element {
  const { scan, start } = navigation;
  if (ctx.state.viewer === null) return <ScanForm action={scan} label="Scan a site instead" />;
  return (
    <p>
      <a class="btn" href={start[0]}>
        {start[1]}
      </a>
    </p>
  );
}

function TryAgain(): JSX.Element {
  return (
    <p>
      <a class="btn" href="">
        <Icon name="again" />
        Try again
      </a>
    </p>
  );
}

function RequestId({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <p class="hint more">
      When you contact the operator, quote <code>{children}</code>.
    </p>
  );
}

const WAYS = {
  home: [PUBLIC_PAGES.home.path, 'Home', 'What this service does'],
  checks: [PUBLIC_PAGES.checks.path, 'The checks', 'What each one looks at'],
  api: [PUBLIC_PAGES.api.path, PUBLIC_PAGES.api.label, 'Start runs, read results'],
} as const satisfies Readonly<Record<string, Way>>;

function waysOn({ state: { viewer } }: WebContext, status: number, { start, add }: Navigation): readonly Way[] {
  const own: Way = viewer ? [...start, 'Scores, failures, runs'] : WAYS.home;
  // The button above leads to the sites.
  const first: Way = status === 404 && viewer ? [...add, 'Verify that you own it, then run'] : own;
  return [first, WAYS.checks, WAYS.api];
}
