import type { JSX } from 'preact';
import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { Pins } from '../../../web/kit/components/pins.js';
import { RailPart } from '../../../web/kit/components/two.js';

const STEPS = [
  ['Add the site', 'By the address of any of its pages.'],
  ['Show that it is yours', 'By a text file, a DNS record or a meta tag. Nothing is scanned before that.'],
  ['See the first run', 'It starts by itself and takes less than a minute.'],
] as const;

/** The way from an address to a result. @param props.at which step comes next, from 0 on */
export function Steps({ at }: { readonly at: number }): JSX.Element {
  return (
    <ol class="steps">
      {STEPS.map(([title, words], index) => (
        <li key={title} aria-current={index === at ? 'step' : undefined}>
          <b>{title}</b>
          <span>{words}</span>
        </li>
      ))}
    </ol>
  );
}

/** The same next to a form, below the pins that wait for it. */
export function StepsRail({ at }: { readonly at: number }): JSX.Element {
  return (
    <>
      <section>
        <Pins groups={WAITING_PINS} size="pins-l" isSaid />
      </section>
      <RailPart title="Three steps">
        <Steps at={at} />
      </RailPart>
    </>
  );
}
