import { describePins, pinGroupsOf, type PinState, WAITING_PINS } from '../../../scanner/report/pins.js';
import type { Result } from '../../../scanner/verdict/vocabulary.js';
import { PinRow } from '../../kit/components/pin-row.js';
import { Lock } from '../../kit/components/lock.js';
import { BrandMark, Empty, Legend, OnePin, Pins } from '../../kit/components/pins.js';
import type { SheetPart } from './sheet-part.js';

const LETTERS: Readonly<Record<string, Result>> = {
  p: 'PASS',
  f: 'FAIL',
  u: 'UNDETERMINED',
  n: 'NOT_APPLICABLE',
};

/** A run by one letter a check, in the registry's order; other letters wait. */
function pinsOf(letters: string) {
  const ids = WAITING_PINS.flatMap(({ pins }) => pins.map(({ checkId }) => checkId));
  return pinGroupsOf(
    ids.flatMap((checkId, index) => {
      const result = LETTERS[letters[index] ?? ''];
      return result === undefined ? [] : [{ checkId, result }];
    }),
  );
}

const RUN = pinsOf('ppfpppfpppfppnnuff');
const STRIPS = {
  'All in line': pinsOf('p'.repeat(18)),
  'A run': RUN,
  'All failed': pinsOf('f'.repeat(18)),
  'No answer': pinsOf('u'.repeat(18)),
  Running: pinsOf('pppppefpneeeeeeee'),
  'No run yet': WAITING_PINS,
};
const STATES: readonly PinState[] = ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE', 'WAITING'];

export const PIN_PARTS: readonly SheetPart[] = [
  {
    id: 'pins',
    name: 'Pins',
    use: 'One stroke, one result. Position first, shape second, colour third.',
    avoid: 'As decoration, or for anything but results.',
    content: () => (
      <>
        <div class="marks">
          {Object.entries(STRIPS).map(([name, groups]) => (
            <figure key={name}>
              <Pins groups={groups} />
              <figcaption>{`${name}: ${describePins(groups)}`}</figcaption>
            </figure>
          ))}
          <figure>
            <Pins groups={RUN} size="pins-s" isSaid />
            <figcaption>In a row of text</figcaption>
          </figure>
        </div>
        <Lock groups={RUN} hrefOf={({ checkId }) => `/checks#${checkId.toLowerCase()}`} />
        <Legend />
      </>
    ),
  },
  {
    id: 'catalog',
    name: 'Catalogue and row',
    use: 'In ink where nothing was judged; in a row for days and deliveries.',
    avoid: 'Results in ink, or checks out of their order.',
    content: () => (
      <>
        <div class="catalog">
          <Lock groups={STRIPS['All in line']} isCatalog />
        </div>
        <PinRow
          label="30 days: 2 with a failure"
          pins={Array.from({ length: 30 }, (_, index) => ({
            key: String(index),
            state: index % 13 === 5 ? 'FAIL' : 'PASS',
            title: `Day ${index + 1}`,
          }))}
        />
        <p class="row">
          {STATES.map((state) => (
            <OnePin key={state} state={state} />
          ))}
          <OnePin state="PASS" scored={false} />
          <OnePin state="FAIL" scored={false} />
        </p>
      </>
    ),
  },
  {
    id: 'mark',
    name: 'Mark',
    use: 'Four pins, the third dropped.',
    avoid: 'Another logo, or a gradient.',
    content: () => (
      <p class="brand">
        <BrandMark /> Agent Readiness Scan
      </p>
    ),
  },
  {
    id: 'empty',
    name: 'Empty',
    use: 'Grey pins, one sentence, the next step.',
    avoid: 'A picture that is not a result.',
    content: () => (
      <Empty>
        <h3>No site yet</h3>
        <p>Add one and prove that its domain is yours.</p>
      </Empty>
    ),
  },
];
