import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { Group, HostName, Mast } from '../../../web/kit/components/mast.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import type { Page } from '../../../web/kit/page.js';
import type { LeftOut, ManyOutcome } from '../../sites/many.js';
import type { ActWords } from './acts.js';

/** More host names than these are counted. */
export const NAMED_MAX = 100;

/** What came of what was done to many. @param back to the list as it was */
export function outcomePage(outcome: ManyOutcome, words: ActWords, back: string): Page {
  const { done, same, leftOut } = outcome;
  return {
    title: 'Many sites',
    mast: (
      <SelectedMast
        back={back}
        title={`${words.done}: ${countOf(done.length, 'site')}`}
        lead={leadOf(outcome, words)}
      />
    ),
    main: (
      <div class="w over-text">
        {leftOut.length > 0 && (
          <Group title="Left out" meaning={countOf(leftOut.length, 'site')}>
            <LeftOutByReason leftOut={leftOut} />
          </Group>
        )}
        {done.length > 0 && (
          <Group title={words.done} meaning={countOf(done.length, 'site')}>
            <NamesApart hostnames={done} />
          </Group>
        )}
        {same.length > 0 && (
          <Group title={words.same} meaning={countOf(same.length, 'site')}>
            <NamesApart hostnames={same} />
          </Group>
        )}
      </div>
    ),
  };
}

/** `2 were so already. 1 is left out: why stands below.` */
function leadOf({ same, leftOut }: ManyOutcome, { after }: ActWords): string {
  const parts = [
    ...(same.length > 0 ? [`${countOf(same.length, 'site')} ${same.length === 1 ? 'was' : 'were'} so already.`] : []),
    ...(leftOut.length > 0 ? [`${countOf(leftOut.length, 'site')} left out, for the reasons below.`] : []),
    ...(after === undefined ? [] : [after]),
  ];
  return parts.join(' ');
}

function LeftOutByReason({ leftOut }: { readonly leftOut: readonly LeftOut[] }): JSX.Element {
  return (
    <>
      {[...Map.groupBy(leftOut, ({ why }) => why)].map(([why, sites]) => (
        <div key={why}>
          <p>{why}</p>
          <NamesApart hostnames={sites.flatMap(({ hostname }) => hostname ?? [])} />
        </div>
      ))}
    </>
  );
}

/** The names of sites; of more than {@link NAMED_MAX} the rest is counted. */
export function Names({ hostnames }: { readonly hostnames: readonly string[] }): JSX.Element {
  const rest = hostnames.length - NAMED_MAX;
  return (
    <>
      {hostnames.slice(0, NAMED_MAX).map((hostname, index) => (
        <span key={hostname}>
          {index > 0 && ', '}
          <HostName name={hostname} isDouble />
        </span>
      ))}
      {rest > 0 && ` and ${rest} more`}
    </>
  );
}

function NamesApart({ hostnames }: { readonly hostnames: readonly string[] }): JSX.Element | null {
  return hostnames.length === 0 ? null : (
    <p class="small soft">
      <Names hostnames={hostnames} />
    </p>
  );
}

/** Why nothing was done. */
export function refusalPage(errors: FieldErrors | null, back: string): Page {
  const [message = ''] = Object.values(errors ?? {});
  return {
    title: 'Many sites',
    mast: <SelectedMast back={back} title="Nothing was changed" lead={message} />,
    main: <div class="w" />,
  };
}

interface SelectedMastProps {
  readonly back: string;
  readonly title: string;
  readonly lead: string;
}

function SelectedMast({ back, title, lead }: SelectedMastProps): JSX.Element {
  return (
    <Mast
      crumbs={[[back, 'Sites']]}
      here="Selected"
      title={title}
      lead={lead}
      actions={
        <a class="btn" href={back}>
          Back to the sites
        </a>
      }
    />
  );
}
