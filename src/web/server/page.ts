import type { ComponentChildren } from 'preact';
import type { WebContext } from './context.js';

/** The content of a page. */
export interface Page {
  /** Such as "Run 12, example.com"; the product's name is appended. */
  readonly title: string;
  /** By default 200. */
  readonly status?: number;
  /** See `PageHeader`; null for a page without one. */
  readonly header: ComponentChildren;
  /** What the page says after something was done. */
  readonly notices?: Notices;
  /** What went wrong, above the main part: announced, and with the focus. What is wrong with a field is said at that field alone. */
  readonly error?: string | undefined;
  /** In boxes of class `w`, which limit the width. */
  readonly main: ComponentChildren;
  /** A second skip link, such as `#findings`. */
  readonly skip?: readonly [href: string, label: string];
  /** True while something is in progress: script loads the page each second. */
  readonly isLive?: boolean;
  /**
   * Where browsers without script go after three seconds, for a page that is live and has no form to lose. Never left to the browser: at an
   * address with a fragment it would only scroll.
   */
  readonly reloadAt?: string;
  /** Additional elements of `<head>`. */
  readonly head?: ComponentChildren;
  /** A page with a description may be indexed. */
  readonly description?: string;
  /** Preview text of a link to a page that may not be indexed. */
  readonly sharedDescription?: string;
  /** Path of the page as Markdown. */
  readonly markdownPath?: string;
  /** Set for a page that shows a secret: its length must not reveal it. */
  readonly hasSecret?: true;
}

/** Sentences, by their code in the query parameter `notice`. */
export type Notices<Code extends string = string> = Readonly<Record<Code, ComponentChildren>>;

export const PRODUCT = 'Agent Readiness Scan';

export type SendPage = (ctx: WebContext, page: Page) => void;

/**
 * Sends a page that is the same for every visitor while the process runs: it is rendered and compressed once for its canonical path. For
 * members it is rendered each time, since their name is in its header.
 */
export type SendConstantPage = (ctx: WebContext, path: string, make: () => Page) => void;
