import type { ComponentChildren } from 'preact';
import type { Link } from './paths.js';
import { PageHeader } from '../html/page-header.js';
import { Snippet } from '../html/text.js';
import type { Page } from './page.js';

/** A secret that is shown only once. */
export interface ShownOnce {
  readonly title: string;
  /** By default 201. */
  readonly status?: number;
  /** What to do now: `Copy your new key`. */
  readonly heading: string;
  readonly crumbs: readonly Link[];
  /** A sentence above the secret. */
  readonly words: ComponentChildren;
  readonly secret: string;
  readonly label: string;
  /** What it is: `key`. */
  readonly what: string;
  /** Where the reader goes once it is stored. */
  readonly doneAt: string;
  /** How to use it. */
  readonly children: ComponentChildren;
}

/** The page asks before it is left, until the secret was copied or its button used. */
export function shownOncePage(shown: ShownOnce): Page {
  const { title, status = 201, heading, crumbs, words, secret, label, what, doneAt, children } = shown;
  return {
    title,
    status,
    hasSecret: true,
    header: (
      <PageHeader crumbs={crumbs} here={title} title={heading} lead="It is shown only once, and we keep no copy." />
    ),
    main: (
      <div class="w over-text">
        <div class="note is-p" data-shown-once>
          <p>{words}</p>
          <Snippet text={secret} label={label} />
          <a class="btn quiet" href={doneAt} data-done>
            I have stored the {what}
          </a>
        </div>
        {children}
      </div>
    ),
  };
}
