import type { RouterContext } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../../platform/http/request.js';

/** Somebody who is signed in, as the pages show it. */
export interface Viewer {
  readonly name: string;
}

/** What is known of a request so far. */
export interface WebState extends RequestState {
  /** Who is signed in; null for a visitor. */
  viewer: Viewer | null;
}

/** One request and its answer. */
export type WebContext = ParameterizedContext<WebState>;

/** The same within a route, with its `params`. */
export type RouteContext = RouterContext<WebState>;

/** The part of the path that a route names so, decoded. Empty when the route has no such part. */
export function paramOf(ctx: RouteContext, name: string): string {
  return (ctx.params as Readonly<Record<string, string | undefined>>)[name] ?? '';
}

/** The first value of a query parameter; empty when it is not there. */
export function queryOf({ query }: WebContext, name: string): string {
  const value = query[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Every value of a query parameter. */
export function queriesOf({ query }: WebContext, name: string): string[] {
  return [query[name] ?? []].flat();
}

/** What a page says after something was done, by the code in its address; undefined for any other. */
export function noticeOf(ctx: WebContext, notices: Readonly<Record<string, string>>): string | undefined {
  const code = queryOf(ctx, 'notice');
  return Object.hasOwn(notices, code) ? notices[code] : undefined;
}

/** Leads to where the content of an address is now (308). */
export function moved(ctx: WebContext, location: string): void {
  ctx.status = 308;
  ctx.set('Location', location);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}

/** Leads to the page that shows what a form did (RFC 9110 §15.4.4), so that a reload does not do it again. */
export function seeOther(ctx: WebContext, location: string): void {
  ctx.status = 303;
  ctx.set('Location', location);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}
