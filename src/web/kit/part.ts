import type Router from '@koa/router';
import type { Assets } from './assets.js';
import type { WebDeps } from './deps.js';
import type { WebState } from './context.js';
import type { SendPage } from './page.js';
import type { StreamEvents } from './live.js';
import type { Cookie } from './session-cookie.js';

/** What the routes of one part of the site work with. */
export interface PartDeps extends WebDeps {
  readonly sendPage: SendPage;
  readonly streamEvents: StreamEvents;
  readonly assets: Assets;
  readonly sessionCookie: Cookie;
  /** By which a device that has signed in is known again, for a year. */
  readonly deviceCookie: Cookie;
}

/** One part of the site: adds its routes. */
export type Part = (router: Router<WebState>, deps: PartDeps) => void;
