import type { RouterContext } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { Refusal } from '../../platform/errors.js';
import type { RequestState } from '../../platform/http/app.js';
import type { Session } from '../../app/accounts/sign-in.js';

/** What is known of a request so far. */
export interface WebState extends RequestState {
  /** The signed-in account; null for a visitor. */
  session: Session | null;
}

/** One request and its answer. */
export type WebContext = ParameterizedContext<WebState>;

/** The same within a route, with its `params`. */
export type RouteContext = RouterContext<WebState>;

/** Thrown where a page is for account holders only: visitors are led to the sign-in page, and back again. */
export class SignInNeeded extends Refusal {
  override readonly name = 'SignInNeeded';

  constructor() {
    super(401, 'sign_in_needed', 'Sign in first.');
  }
}

/** @throws SignInNeeded */
export function sessionOf({ state }: WebContext): Session {
  if (!state.session) throw new SignInNeeded();
  return state.session;
}

/** The part of the path that a route names so, decoded. Empty when the route has no such part. */
export function paramOf(ctx: RouteContext, name: string): string {
  return (ctx.params as Readonly<Record<string, string | undefined>>)[name] ?? '';
}

/** The first value of a query parameter; empty when it is not there. */
export function queryOf({ query }: WebContext, name: string): string {
  const value = query[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** What a page says after something was done, by the code in its address; undefined for any other. */
export function noticeOf(ctx: WebContext, notices: Readonly<Record<string, string>>): string | undefined {
  const code = queryOf(ctx, 'notice');
  return Object.hasOwn(notices, code) ? notices[code] : undefined;
}

/** Leads to the page that shows what a form did (RFC 9110 §15.4.4), so that a reload does not do it again. */
export function seeOther(ctx: WebContext, location: string): void {
  ctx.status = 303;
  ctx.set('Location', location);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}
