import type { ComponentChildren } from 'preact';
import { Door } from '../../../web/kit/components/door.js';
import type { Page } from '../../../web/kit/page.js';
import { JUST_CHOSEN } from './choose-password.js';

export interface SpentLinkProps {
  /** What such a link does, in a sentence. */
  readonly why: string;
  /** Whether its form led here: a button pressed twice does, too. */
  readonly isAgain: boolean;
  /** Where to go from here. */
  readonly children: ComponentChildren;
}

/** One answer for links that were used, are too old or cut short, or never were. */
export function spentLinkPage({ why, isAgain, children }: SpentLinkProps): Page {
  return {
    title: 'This link does not work',
    status: 404,
    styles: ['door.css'],
    mast: null,
    main: (
      <Door words="A link opens the door once. A password opens it every time." isShut>
        <h1>This link does not work</h1>
        <p class="soft">{why}</p>
        {isAgain && <p>{JUST_CHOSEN}</p>}
        {children}
      </Door>
    ),
  };
}
