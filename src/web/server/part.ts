import type Router from '@koa/router';
import type { Assets } from './assets.js';
import type { WebState } from './context.js';
import type { SendConstantPage, SendPage } from './page.js';

/** How pages are answered. */
export interface Kit {
  readonly sendPage: SendPage;
  readonly sendConstantPage: SendConstantPage;
  readonly assets: Assets;
}

/** One part of the site: adds its routes. */
export type Part<Deps> = (router: Router<WebState>, deps: Deps & Kit) => void;
