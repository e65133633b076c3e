import type { ComponentChildren } from 'preact';
import { Mast, type MastProps } from './components/mast.js';
import type { Page } from './page.js';
import { Two } from './components/two.js';

/** A secret that is shown this one time. */
export interface ShownOnce extends Pick<MastProps, 'crumbs' | 'here'> {
  readonly title: string;
  /** 201 unless said otherwise. */
  readonly status?: number;
  /** By default the title. */
  readonly heading?: ComponentChildren;
  readonly lead: ComponentChildren;
  /** What is to be known before. */
  readonly before?: ComponentChildren;
  /** The snippets with the secret. */
  readonly once: ComponentChildren;
  /** What to do with it. */
  readonly children: ComponentChildren;
  /** What it is, such as "key". */
  readonly what: string;
  readonly doneAt: string;
}

/** The page asks before it is left, until the secret was copied or its own button used. */
export function shownOncePage(shown: ShownOnce): Page {
  const { title, status = 201, heading = title, lead, crumbs, here, before, once, children, what, doneAt } = shown;
  return {
    title,
    status,
    mast: <Mast {...(crumbs && { crumbs })} here={here} lead={lead} title={heading} />,
    main: (
      <Two>
        <div class="once">
          {before}
          <div class="note is-p" data-shown-once>
            {once}
          </div>
          <p>
            <a class="btn" href={doneAt} data-done>
              I have stored the {what}
            </a>
          </p>
          {children}
        </div>
      </Two>
    ),
  };
}
