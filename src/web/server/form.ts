import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import type { ComponentChildren } from 'preact';
import { Refusal, ServiceError } from '../../platform/errors.js';
import { InputError } from '../../platform/input-error.js';
import { whenBroken } from '../../platform/http/request.js';
import { moved, seeOther } from '../../platform/http/answer.js';
import {
  type Notices,
  type Page,
  paramOf,
  type RouteContext,
  type SendPage,
  type WebContext,
  type WebState,
} from './page.js';

/** The longest form is an import of 500 addresses. */
const FORM_LIMIT = '64kb';

/** Reads the fields of a form (`application/x-www-form-urlencoded`). A body of another type is not read. */
export function forms(): Middleware<WebState> {
  const parse = bodyParser({
    enableTypes: ['form'],
    formLimit: FORM_LIMIT,
    onerror: (error) => {
      throw new ServiceError('status' in error && error.status === 413 ? 'payload_too_large' : 'bad_request');
    },
  });
  void parse(emptyForm(), async () => undefined);
  return async (ctx, next) => {
    // No browser compresses a form, and the parser would miss an error behind its limit, which would end the process.
    if (ctx.get('Content-Encoding') !== '') throw new ServiceError('bad_request');
    try {
      await Promise.race([parse(ctx, async () => undefined), whenBroken(ctx.req)]);
    } finally {
      // The parser leaves the rest of a large body unread, which would block the connection.
      ctx.req.resume();
    }
    await next();
  };
}

/** Loads the parser's tables of encodings at start, since later no file descriptor may be left. */
function emptyForm(): Parameters<ReturnType<typeof bodyParser>>[0] {
  const req = Object.assign(Readable.from([]), { headers: {} });
  return { req, request: { is: () => true } } as unknown as Parameters<ReturnType<typeof bodyParser>>[0];
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

/** Error messages by the name of the field; `''` for the form as a whole, which is the page's `error`. */
export type FieldErrors = Readonly<Record<string, string>>;

/** A page with a form. A refused form shows what was typed: see {@link fieldOf}. */
export interface Form<Model> {
  /** Path that the form is sent to. */
  readonly path: string;
  /** Path that shows the form, by default the same; null if another page shows it. */
  readonly shownAt?: string | null;
  /** Redirects members, for a page that only visitors need. */
  readonly membersGoTo?: (ctx: RouteContext) => string;
  /** Field of errors that name none; by default the form as a whole. */
  readonly field?: string;
  /** Loads what the page and the form work with. */
  load(ctx: RouteContext): Model | Promise<Model>;
  /** Acts and answers. @throws InputError, which shows the page again with the message */
  submit(ctx: RouteContext, model: Model): Promise<void>;
  render(ctx: RouteContext, model: Model, errors: FieldErrors | null): Page | Promise<Page>;
}

/** Adds the routes of a form. Over a limit, sets Retry-After (RFC 6585 §4). */
export function addForm<Model>(router: Router<WebState>, sendPage: SendPage, form: Form<Model>): void {
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
export interface PageWithForms<Model, Code extends string> extends Pick<Form<Model>, 'path' | 'load' | 'render'> {
  /** Of the forms that return a code. */
  readonly notices?: Notices<Code>;
  readonly forms: readonly FormOfPage<Model, NoInfer<Code>>[];
}

/** A form that leads back to its page. */
type FormOfPage<Model, Code extends string> = Pick<Form<Model>, 'path' | 'field'> &
  (
    | {
        act(ctx: RouteContext, model: Model): Promise<unknown>;
        /** The notice that the page shows then. */
        readonly done: readonly [code: string, words: ComponentChildren];
      }
    | {
        /** Returns the code of the notice to show, or undefined if it has answered itself. */
        submit(ctx: RouteContext, model: Model): Promise<Code | undefined>;
      }
  );

/** Redirects to a page, which then shows its notice of that code. */
export function seeNotice(ctx: WebContext, path: string, code: string): void {
  seeOther(ctx, `${path}?notice=${code}`);
}

/**
 * Adds a page and its forms. A form that is refused shows the page again, with what was typed. The path of a form leads to the page: a
 * reload after a refusal asks for it, and some were pages of their own.
 */
export function addPage<Model, Code extends string>(
  router: Router<WebState>,
  sendPage: SendPage,
  page: PageWithForms<Model, Code>,
): void {
  const { path, load, forms } = page;
  const done = forms.flatMap((form) => ('done' in form ? [form.done] : []));
  const notices = { ...page.notices, ...Object.fromEntries(done) };
  const render = async (...args: Parameters<typeof page.render>) => ({ notices, ...(await page.render(...args)) });
  router.get(path, async (ctx) => sendPage(ctx, await render(ctx, await load(ctx), null)));
  for (const form of forms) {
    if (form.path !== path) {
      router.get(form.path, async (ctx) => {
        await load(ctx);
        moved(ctx, fillPath(path, ctx));
      });
    }
    addForm(router, sendPage, {
      ...{ ...form, shownAt: null, load, render },
      async submit(ctx, model) {
        if ('act' in form) await form.act(ctx, model);
        const code = 'act' in form ? form.done[0] : await form.submit(ctx, model);
        if (code !== undefined) seeNotice(ctx, fillPath(path, ctx), code);
      },
    });
  }
}

/** Returns the path of a route with the parameters of the request. */
function fillPath(path: string, ctx: RouteContext): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(paramOf(ctx, name)));
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses forged requests (OWASP, "Cross-Site Request Forgery Prevention", fetch metadata): a request that may change something must come
 * from our own pages by Sec-Fetch-Site, or by Origin from browsers without it. A client that sends neither is refused.
 */
export function sameOriginOnly(publicUrl: string): Middleware<WebState> {
  const { origin: ownOrigin } = new URL(publicUrl);
  return async (ctx, next) => {
    if (!SAFE_METHODS.has(ctx.method)) {
      const site = ctx.get('Sec-Fetch-Site');
      const isOwn = site === '' ? ctx.get('Origin') === ownOrigin : site === 'same-origin' || site === 'none';
      if (!isOwn) throw new Refusal(403, 'foreign_origin', 'This form was not sent from our pages.');
    }
    await next();
  };
}
