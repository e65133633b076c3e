import type { RouterContext } from '@koa/router';
import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../../platform/http/request.js';

/** The signed-in account, as pages show it. */
export interface Viewer {
  readonly name: string;
}

/** State of a request. */
export interface WebState extends RequestState {
  /** Null for a visitor. */
  viewer: Viewer | null;
}

/** A request and its response. */
export type WebContext = ParameterizedContext<WebState>;

/** A request within a route, with its `params`. */
export type RouteContext = RouterContext<WebState>;

/** Returns a parameter of the route, decoded; empty if the route has none of this name. */
export function paramOf(ctx: RouteContext, name: string): string {
  return (ctx.params as Readonly<Record<string, string | undefined>>)[name] ?? '';
}

/** Returns the first value of a query parameter; empty without one. */
export function queryOf({ query }: WebContext, name: string): string {
  const value = query[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Returns every value of a query parameter. */
export function queriesOf({ query }: WebContext, name: string): string[] {
  return [query[name] ?? []].flat();
}
