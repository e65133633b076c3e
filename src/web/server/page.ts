import type { ComponentChildren } from 'preact';
import type { WebContext } from './context.js';

/** One page, without what all pages share. */
export interface Page {
  /** What and of what, such as "Run 12, example.com": the product's name is added. */
  readonly title: string;
  /** 200 unless said otherwise. */
  readonly status?: number;
  /** The page's head, across the whole width: see `Mast`; null for a page that begins without one. */
  readonly mast: ComponentChildren;
  /** Shown between head and content; by default the notice that the address asks for. */
  readonly notice?: ComponentChildren;
  /** In boxes of class `w` that keep to the width of the page. */
  readonly main: ComponentChildren;
  /** Where a second link at the top skips to, such as `#findings`, and what it says. */
  readonly skip?: readonly [href: string, label: string];
  /** Whether something on it is under way: script then shows it anew each second. */
  readonly isLive?: boolean;
  /**
   * Where browsers without script go after three seconds, for a page that is live and has no form to lose. Never left to the browser: at an
   * address with a fragment it would only scroll.
   */
  readonly reloadAt?: string;
  /** More for the `<head>`. */
  readonly head?: ComponentChildren;
  /** For search engines and agents; a page that has one may be indexed, others may not. */
  readonly description?: string;
  /** Shown by chats and networks with a link to a page that may not be indexed; by default nothing. */
  readonly sharedDescription?: string;
  /** Where the same page lies as Markdown. */
  readonly markdownPath?: string;
  /** Set for a page that shows a secret: its length must not reveal it. */
  readonly hasSecret?: true;
  readonly styles?: readonly string[];
}

export const PRODUCT = 'Agent Readiness Scan';

export type SendPage = (ctx: WebContext, page: Page) => void;

/**
 * The same for a page that says the same to every visitor for as long as the process lives: it is made and coded once by path. Members
 * get it rendered for them, since their name stands in its head.
 */
export type SendConstantPage = (ctx: WebContext, make: () => Page) => void;
