import type { JSX } from 'preact';
import { RailPart } from '../../../web/kit/components/two.js';

interface StepsProps {
  /** Which step comes next, from 0 on. */
  readonly at: number;
  /** Whether only what is still to come is described: the page itself says the rest. */
  readonly isBrief?: boolean;
}

/** The way from an address to a result: steps side by side where there is room. */
export function Steps({ at, isBrief = false }: StepsProps): JSX.Element {
  const steps = [
    ['Add the site', 'Its address is enough.'],
    ['Show that it is yours', 'By a text file, a DNS record or a meta tag. Nothing is scanned before that.'],
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

/** The same next to a form. */
export function StepsRail({ at }: Pick<StepsProps, 'at'>): JSX.Element {
  return (
    <RailPart title="Three steps">
      <Steps at={at} isBrief />
    </RailPart>
  );
}
