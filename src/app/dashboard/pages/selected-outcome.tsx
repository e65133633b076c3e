import type { JSX } from 'preact';
import { countOf } from '../../../platform/counts.js';
import { Group, HostName, Mast } from '../../../web/kit/components/mast.js';
import type { FieldErrors } from '../../../web/kit/form.js';
import type { Link } from '../../../web/kit/layout.js';
import type { Page } from '../../../web/kit/page.js';
import type { LeftOut, ManyOutcome } from '../../sites/many.js';
import { addressOf } from '../../sites/pages/addresses.js';
import type { Site } from '../../sites/site.js';
import type { ActWords } from './acts.js';

/** Of the page that says what came of it. */
interface Around {
  readonly back: string;
  /** Left out where none is there any more. */
  readonly known?: KnownSites | undefined;
}

/** More host names than these are counted. */
export const NAMED_MAX = 100;

/** By host name, the sites that can be led to. */
export type KnownSites = ReadonlyMap<string, Pick<Site, 'id' | 'verifiedAt'>>;

/** What came of what was done to many. @param back to the list as it was */
export function outcomePage(outcome: ManyOutcome, words: ActWords, { back, known }: Around): Page {
  const { done, same, leftOut } = outcome;
  return {
    title: 'Many sites',
    mast: (
      <SelectedMast
        back={back}
        title={`${words.done}: ${countOf(done.length, 'site')}`}
        lead={leadOf(outcome, words, known)}
        way={leftOut.length > 0 ? words.way : undefined}
      />
    ),
    main: (
      <div class="w over-text">
        {leftOut.length > 0 && (
          <Group title="Left out" meaning={countOf(leftOut.length, 'site')}>
            <LeftOutByReason leftOut={leftOut} known={known} />
          </Group>
        )}
        {done.length > 0 && (
          <Group title={words.done} meaning={countOf(done.length, 'site')}>
            <NamesApart hostnames={done} known={known} />
          </Group>
        )}
        {same.length > 0 && (
          <Group title={words.same} meaning={countOf(same.length, 'site')}>
            <NamesApart hostnames={same} known={known} />
          </Group>
        )}
      </div>
    ),
  };
}

/** `2 were so already. 1 is left out: why stands below.` */
function leadOf({ done, same, leftOut }: ManyOutcome, { after, unverified }: ActWords, known?: KnownSites): string {
  const isUnverified = [...done, ...same].some((hostname) => known?.get(hostname)?.verifiedAt === null);
  const parts = [
    ...(same.length > 0 ? [`${countOf(same.length, 'site')} ${same.length === 1 ? 'was' : 'were'} so already.`] : []),
    ...(leftOut.length > 0 ? [`${countOf(leftOut.length, 'site')} left out, for the reasons below.`] : []),
    ...(after === undefined ? [] : [after]),
    ...(unverified !== undefined && isUnverified ? [unverified] : []),
  ];
  return parts.join(' ');
}

function LeftOutByReason({
  leftOut,
  known,
}: Pick<Around, 'known'> & { readonly leftOut: readonly LeftOut[] }): JSX.Element {
  return (
    <>
      {[...Map.groupBy(leftOut, ({ why }) => why)].map(([why, sites]) => (
        <div key={why}>
          <p>{why}</p>
          <NamesApart hostnames={sites.flatMap(({ hostname }) => hostname ?? [])} known={known} />
        </div>
      ))}
    </>
  );
}

interface NamesProps extends Pick<Around, 'known'> {
  readonly hostnames: readonly string[];
}

/** The names of sites, from A to Z; of more than {@link NAMED_MAX} the rest is counted. */
export function Names({ hostnames, known }: NamesProps): JSX.Element {
  const rest = hostnames.length - NAMED_MAX;
  return (
    <span class="names">
      {hostnames
        .toSorted()
        .slice(0, NAMED_MAX)
        .map((hostname, index) => (
          <span key={hostname}>
            {index > 0 && ', '}
            <Name name={hostname} site={known?.get(hostname)} />
          </span>
        ))}
      {rest > 0 && ` and ${rest} more`}
    </span>
  );
}

/** A link to its page, or to the one on which it is verified. */
function Name({ name, site }: { readonly name: string; readonly site: Pick<Site, 'id' | 'verifiedAt'> | undefined }) {
  const shown = <HostName name={name} isDouble />;
  if (site === undefined) return shown;
  return <a href={site.verifiedAt === null ? addressOf.verify(site.id) : addressOf.site(site.id)}>{shown}</a>;
}

function NamesApart({ hostnames, known }: NamesProps): JSX.Element | null {
  return hostnames.length === 0 ? null : (
    <p class="small soft">
      <Names hostnames={hostnames} known={known} />
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
  readonly way?: Link | undefined;
  /** Whether the next act is in the page itself. */
  readonly isAsking?: boolean;
}

export function SelectedMast({ back, title, lead, way, isAsking = false }: SelectedMastProps): JSX.Element {
  return (
    <Mast
      crumbs={[[back, 'Sites']]}
      here="Selected"
      title={title}
      lead={lead}
      actions={
        <>
          <a class={isAsking ? 'btn quiet' : 'btn'} href={back}>
            Back to the sites
          </a>
          {way && (
            <a class="btn quiet" href={way[0]}>
              {way[1]}
            </a>
          )}
        </>
      }
    />
  );
}
