import type { RouterContext } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import { Refusal } from '../platform/errors.js';
import type { RequestState } from '../platform/http/app.js';
import type { Session } from '../app/accounts/sign-in.js';

/** What is known of a request so far. */
export interface WebState extends RequestState {
  /** Who asks; null for whoever is not signed in. */
  session: Session | null;
}

/** One request and its answer. */
export type Exchange = ParameterizedContext<WebState>;

/** The same within a route, with its `params`. */
export type RouteExchange = RouterContext<WebState>;

/** Thrown where a page is for account holders only: visitors are led to the sign-in page, and back again. */
export class SignInNeeded extends Refusal {
  override readonly name = 'SignInNeeded';

  constructor() {
    super(401, 'sign_in_needed', 'Sign in first.');
  }
}

/** @throws SignInNeeded */
export function sessionOf({ state }: Exchange): Session {
  if (!state.session) throw new SignInNeeded();
  return state.session;
}

/** The part of the path that a route names so, decoded. Empty when the route has no such part. */
export function paramOf(exchange: RouteExchange, name: string): string {
  return (exchange.params as Readonly<Record<string, string | undefined>>)[name] ?? '';
}

/** The first value of a query parameter; empty when it is not there. */
export function queryOf({ query }: Exchange, name: string): string {
  const value = query[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Leads to the page that shows what a form did (RFC 9110 §15.4.4), so that a reload does not do it again. */
export function seeOther(exchange: Exchange, location: string): void {
  exchange.status = 303;
  exchange.set('Location', location);
  exchange.set('Cache-Control', 'no-store');
  exchange.body = '';
}
