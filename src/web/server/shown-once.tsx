import type { ComponentChildren } from 'preact';
import { Mast, type MastProps } from '../html/mast.js';
import { Snippet } from '../html/text.js';
import { Two } from '../html/two.js';
import type { Page } from './page.js';

/** A secret that is shown this one time. */
export interface ShownOnce extends Pick<MastProps, 'crumbs' | 'here' | 'lead'> {
  readonly title: string;
  /** 201 unless said otherwise. */
  readonly status?: number;
  /** What to do now: `Copy your new key`. */
  readonly heading: string;
  /** What is to be known before. */
  readonly before?: ComponentChildren;
  /** What it belongs to, in a sentence right above it. */
  readonly words: ComponentChildren;
  readonly secret: string;
  /** What the secret is called: `Your new API key`. */
  readonly label: string;
  /** What to do with it. */
  readonly children: ComponentChildren;
  /** Next to it: how to keep it, what to do without it. */
  readonly rail: ComponentChildren;
  /** What it is, such as "key". */
  readonly what: string;
  readonly doneAt: string;
}

/** The page asks before it is left, until the secret was copied or its own button used. */
export function shownOncePage(shown: ShownOnce): Page {
  const { title, status = 201, heading, before, words, secret, label, children, rail, what, doneAt, ...mast } = shown;
  return {
    title,
    status,
    hasSecret: true,
    mast: <Mast {...mast} title={heading} />,
    main: (
      <Two rail={rail}>
        {before}
        <div class="note is-p" data-shown-once>
          <p>{words}</p>
          <Snippet text={secret} label={label} />
          <a class="btn quiet" href={doneAt} data-done>
            I have stored the {what}
          </a>
        </div>
        {children}
      </Two>
    ),
  };
}
