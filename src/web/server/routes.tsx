import type Router from '@koa/router';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { OpenedSession, Session } from '../../app/accounts/sessions.js';
import { findOwnSite, type OwnSite, type SiteOfAccount } from '../../app/sites/site.js';
import { InputError, Refusal, ServiceError } from '../../platform/errors.js';
import { answer, cacheCodings, entityTagOf, redirectPermanently, seeOther } from '../../platform/http/answer.js';
import { Layout } from '../html/layout.js';
import { Now } from '../html/text.js';
import type { FieldErrors, Notices, Page, WebContext, WebState } from './page.js';

/** Returns a parameter of the route, decoded; empty if the route has none of this name. */
export function paramOf({ params = {} }: WebContext, name: string): string {
  return params[name] ?? '';
}

/** Returns the first value of a query parameter; empty without one. */
export function queryOf(ctx: WebContext, name: string): string {
  return queriesOf(ctx, name)[0] ?? '';
}

/** Returns every value of a query parameter. */
export function queriesOf({ query }: WebContext, name: string): string[] {
  return [query[name] ?? []].flat();
}

/** Returns the first text that the form sent for `name`; empty without one. */
export function fieldOf(ctx: WebContext, name: string): string {
  return fieldsOf(ctx, name)[0] ?? '';
}

/** Returns every text that the form sent for `name`. */
export function fieldsOf({ request }: WebContext, name: string): readonly string[] {
  const { rawBody } = request as { readonly rawBody?: unknown };
  return typeof rawBody === 'string' ? new URLSearchParams(rawBody).getAll(name) : [];
}

/** Parses a positive number in an address, such as `12`; null for anything else. */
export function parseNumber(text: string): number | null {
  return /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : null;
}

export const SIGN_IN_NEEDED = 'sign_in_needed';

/** @throws Refusal sign_in_needed */
export function sessionOf({ state }: WebContext): Session {
  if (!state.session) throw new Refusal(401, SIGN_IN_NEEDED, 'Sign in first.');
  return state.session;
}

/** Returns the site in the path and the signed-in account. @throws Refusal sign_in_needed */
export function requestedSite(ctx: WebContext): SiteOfAccount {
  return { accountId: sessionOf(ctx).account.id, siteId: paramOf(ctx, 'siteId') };
}

/** Loads the site in the path. @throws Refusal sign_in_needed; ServiceError site_not_found, also for another account's site */
export async function loadOwnSite(ctx: WebContext): Promise<OwnSite> {
  return findOwnSite(ctx.state.deps.db, requestedSite(ctx));
}

/** Loads the site in the path, and parses the number of the run. @throws as {@link loadOwnSite}; ServiceError run_not_found */
export async function loadOwnRun(ctx: WebContext): Promise<{ readonly site: OwnSite; readonly number: number }> {
  // Checks the owner first: only the owner may learn that a run does not exist.
  const site = await loadOwnSite(ctx);
  const number = parseNumber(paramOf(ctx, 'number'));
  if (number === null) throw new ServiceError('run_not_found');
  return { site, number };
}

const HTML = 'text/html; charset=utf-8';
/** Pages differ by viewer. */
const VISITOR_CACHE = 'private, no-cache';

export function sendPage(ctx: WebContext, page: Page): void {
  if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', ctx.state.session ? 'no-store' : VISITOR_CACHE);
  ctx.vary('Cookie');
  ctx.state.hasSecret = page.hasSecret ?? false;
  answer(ctx, page.status ?? 200, HTML, render(ctx, page));
}

/** Returns bytes: Koa would measure a string, and Node encode it again. */
function render(ctx: WebContext, page: Page): Buffer {
  const { session, deps } = ctx.state;
  const { status = 200, notices = {} } = page;
  const code = queryOf(ctx, 'notice');
  const html = renderToString(
    <Now.Provider value={deps.clock.now()}>
      <Layout
        page={page}
        notice={status < 400 && Object.hasOwn(notices, code) ? notices[code] : null}
        path={ctx.path}
        canonicalUrl={deps.publicUrl + ctx.path}
        email={session?.account.email ?? null}
        isSignUpOpen={deps.isSignUpOpen}
      />
    </Now.Provider>,
  );
  return Buffer.from(`<!doctype html>${html}`);
}

/**
 * Sends a page that is the same for all visitors: it is rendered and compressed once per process, for its canonical path. For signed-in
 * users it is rendered each time, since the header shows their name.
 */
export function sendConstantPage(ctx: WebContext, path: string, make: () => Page): void {
  const { session, constantPages } = ctx.state;
  // Other spellings of the path, such as percent-encoded ones, are not cached: there are too many.
  if (ctx.path !== path || session !== null || queryOf(ctx, 'notice') !== '') {
    sendPage(ctx, make());
    return;
  }
  let constant = constantPages.get(path);
  if (!constant) {
    const body = render(ctx, make());
    cacheCodings(body, 'best');
    constant = { body, etag: entityTagOf(body) };
    constantPages.set(path, constant);
  }
  ctx.set('ETag', constant.etag);
  ctx.set('Cache-Control', VISITOR_CACHE);
  ctx.vary('Cookie');
  answer(ctx, 200, HTML, constant.body);
}

/** A page with a form. A refused form shows what was typed: see {@link fieldOf}. */
export interface Form<Model> {
  /** Path that the form is sent to. */
  readonly path: string;
  /** Path that shows the form, by default the same; null if another page shows it. */
  readonly shownAt?: string | null;
  /** Where members are redirected, for a page that only visitors need. */
  readonly membersGoTo?: (ctx: WebContext) => string;
  /** Field of errors that name no field; by default the whole form. */
  readonly field?: string;
  /** Loads the data of the page and the form. */
  load(ctx: WebContext): Model | Promise<Model>;
  /** Acts and answers. @throws InputError, which shows the page again with the message */
  submit(ctx: WebContext, model: Model): Promise<void>;
  render(ctx: WebContext, model: Model, errors: FieldErrors | null): Page | Promise<Page>;
}

/** Adds the routes of a form. A limit that is exceeded sets Retry-After (RFC 6585 §4). */
export function addForm<Model>(router: Router<WebState>, form: Form<Model>): void {
  const { path, shownAt = path, membersGoTo, field = '' } = form;
  if (shownAt !== null) {
    router.get(shownAt, async (ctx) => {
      if (membersGoTo && ctx.state.session) seeOther(ctx, membersGoTo(ctx));
      else sendPage(ctx, await form.render(ctx, await form.load(ctx), null));
    });
  }
  router.post(path, async (ctx) => {
    const model = await form.load(ctx);
    try {
      await form.submit(ctx, model);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      if (error.retryAfterS !== undefined) ctx.set('Retry-After', String(error.retryAfterS));
      const errors: FieldErrors = { [error.field ?? field]: error.message };
      const page = await form.render(ctx, model, errors);
      // A page with its own status replaces the form, such as that of a used link.
      const status = page.status ?? error.status;
      sendPage(ctx, { ...page, error: errors[''] ?? page.error, title: `Error: ${page.title}`, status });
    }
  });
}

/** A page and the forms on it. */
interface PageWithForms<Model> extends Pick<Form<Model>, 'path' | 'load' | 'render'> {
  /** Notices of forms with their own `submit`. */
  readonly notices?: Notices;
  readonly forms: readonly FormOfPage<Model>[];
}

/** A form that acts and redirects to its page, or that has its own `submit`. */
type FormOfPage<Model> = Pick<Form<Model>, 'path' | 'field'> & (Pick<Form<Model>, 'submit'> | Action<Model>);

interface Action<Model> {
  act(ctx: WebContext, model: Model): Promise<unknown>;
  /** The notice that the page shows afterwards. */
  readonly done: readonly [code: string, words: ComponentChildren];
}

/** Redirects to a page, which shows the notice with this code. */
export function redirectWithNotice(ctx: WebContext, path: string, code: string): void {
  seeOther(ctx, `${path}?notice=${code}`);
}

/**
 * Adds a page and its forms. A refused form shows the page again, with what was typed. GET of a form's path redirects to the page, for
 * reloads after a refusal and for old links.
 */
export function addPage<Model>(router: Router<WebState>, page: PageWithForms<Model>): void {
  const { path, load, forms } = page;
  const done = forms.flatMap((form) => ('done' in form ? [form.done] : []));
  const notices = { ...page.notices, ...Object.fromEntries(done) };
  const render = async (...args: Parameters<typeof page.render>) => ({ notices, ...(await page.render(...args)) });
  router.get(path, async (ctx) => sendPage(ctx, await render(ctx, await load(ctx), null)));
  for (const form of forms) {
    if (form.path !== path) {
      router.get(form.path, async (ctx) => {
        await load(ctx);
        redirectPermanently(ctx, fillPath(path, ctx));
      });
    }
    addForm(router, {
      ...{ ...form, shownAt: null, load, render },
      async submit(ctx, model) {
        if ('submit' in form) {
          await form.submit(ctx, model);
          return;
        }
        await form.act(ctx, model);
        redirectWithNotice(ctx, fillPath(path, ctx), form.done[0]);
      },
    });
  }
}

/** Returns the path of a route with the parameters of the request. */
function fillPath(path: string, ctx: WebContext): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(paramOf(ctx, name)));
}

/** True if browsers use https. TLS ends at a proxy, so only the public address says so. */
export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

/** `__Host-` binds the cookie to this host and to https (RFC 6265bis §4.1.3.2), so a service on plain http cannot use it. */
export function sessionCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-session' : 'session';
}

function setCookie(ctx: WebContext, value: string | null, expires: Date): void {
  const { publicUrl } = ctx.state.deps;
  const secure = isSecure(publicUrl);
  ctx.cookies.secure = secure;
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure, expires, overwrite: true } as const;
  ctx.cookies.set(sessionCookieName(publicUrl), value, options);
}

export function clearSessionCookie(ctx: WebContext): void {
  setCookie(ctx, null, new Date(0));
}

/** Sets the cookie of a new session, ends the session that the browser had, and redirects. */
export async function signInAndRedirect(ctx: WebContext, opened: OpenedSession, location: string): Promise<void> {
  const { deps, sessionToken: before } = ctx.state;
  // Set first, so that a failure to end the earlier session loses neither the new one nor the link that opened it.
  setCookie(ctx, opened.token, new Date(opened.expiresAt));
  if (before !== undefined) await deps.signIn.signOut(before);
  seeOther(ctx, location);
}

/** Removes the cookie of a session that has ended, and redirects. */
export function signOutAndRedirect(ctx: WebContext): void {
  clearSessionCookie(ctx);
  redirectWithNotice(ctx, '/sign-in', 'signed-out');
}
