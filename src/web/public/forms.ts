import type { ComponentChildren } from 'preact';
import type { RouteContext } from '../server/context.js';
import type { Page } from '../server/page.js';
import type { PublicPage } from '../server/public-pages.js';

/** One page in its two forms; only the requested one is made. */
export interface Forms {
  markdown(): string;
  html(): Pick<Page, 'header' | 'main'>;
  /** More for the `<head>` of the HTML. */
  readonly head?: ComponentChildren;
  /** Whether the page is this one for every visitor. */
  readonly isConstant: boolean;
}

/** Adds a page by its address, and by that of its twin in Markdown. */
export type AddForms = (page: PublicPage, formsFor: (ctx: RouteContext) => Forms | Promise<Forms>) => void;
