import type { JSX } from 'preact';
import { RailPart } from '../html/two.js';

interface StepsProps {
  /** Index of the next step. */
  readonly at: number;
  /** True if only later steps have descriptions: the page itself describes the current one. */
  readonly isBrief?: boolean;
}

/** The three steps from adding a site to its first result. */
export function Steps({ at, isBrief = false }: StepsProps): JSX.Element {
  const steps = [
    ['Add the site', 'Its address is enough.'],
    ['Verify that you own it', 'By a text file, a DNS record or a meta tag. We don’t scan until you’ve verified it.'],
    ['See the first run', 'It starts at once and takes less than a minute.'],
  ];
  return (
    <ol class="steps">
      {steps.map(([title, words], index) => (
        <li key={title} aria-current={index === at ? 'step' : undefined} class={index < at ? 'done' : undefined}>
          <b>
            {title}
            {index < at && <span class="hide">, done</span>}
          </b>
          {!(isBrief && index <= at) && <span>{words}</span>}
        </li>
      ))}
    </ol>
  );
}

/** The steps in a sidebar. */
export function StepsRail({ at }: Pick<StepsProps, 'at'>): JSX.Element {
  return (
    <RailPart title="Three steps">
      <Steps at={at} isBrief />
    </RailPart>
  );
}
