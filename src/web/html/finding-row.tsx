import type { ComponentChildren, JSX } from 'preact';
import { failureOf, headlineOf } from '../../scanner/report/failures.js';
import type { Gain, Rung } from '../../scanner/report/gain.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import { keptPart } from './kept-part.js';
import { Fix } from './fix.js';
import { CopyLink } from './fold.js';
import { partDetail, partSentence } from './detail.js';
import { Icon, Mark } from './icons.js';
import { failureHref } from './result.js';
import { Words } from './text.js';

/** What can be done, on both sides of what is the same everywhere. */
export interface Actions {
  readonly next: ComponentChildren;
  readonly others: ComponentChildren;
}

export interface FindingRowProps {
  readonly finding: Finding;
  /** The site's. */
  readonly origin: string;
  /** Where it stands among the fixes; null where that is not known. */
  readonly rung: Rung | null;
  /** What it adds to the score by itself. */
  readonly gain: Gain | null;
  /** Where it is told to a coding agent, if it failed. */
  readonly agentHref: string | null;
  /** Such as since when it is so. */
  readonly aside?: ComponentChildren;
  readonly outcome?: ComponentChildren;
  readonly actions?: Actions | undefined;
  readonly isOpen: boolean;
  /** Whether it passes now, though the scan found it. */
  readonly isGone?: boolean;
  /** Whether a later run passed it. */
  readonly isPast?: boolean;
}

/** So much of its detail does a closed row show: whole sentences, or so much of one that is longer; the others once it is open. */
const CLOSED_CHARS_MAX = 140;
const SENTENCE_CHARS_MAX = 160;

/** One finding that did not pass: what is wrong and what it is worth; opened, how to fix it and what can be done. */
export function FindingRow({ finding, rung, gain, aside, outcome, isOpen, ...props }: FindingRowProps): JSX.Element {
  const { checkId, result, detail } = finding;
  const { isGone = false, isPast = false } = props;
  const [first, others] = partDetail(finding, CLOSED_CHARS_MAX);
  const [lead, end] = partSentence(first, SENTENCE_CHARS_MAX);
  const rest = [end, others].join(' ').trim();
  return (
    <details class="finding" id={checkId} open={isOpen}>
      <summary>
        <Mark result={isGone ? 'PASS' : result} scored={finding.scored && !isPast} />
        <span class="t">{headlineOf(finding)}</span>
        {detail !== null && (
          <span class={end === '' ? 'd' : 'd cut'}>
            <Words text={lead} />
            {rest !== '' && (
              <span class="rest">
                {' '}
                <Words text={rest} />
              </span>
            )}
          </span>
        )}
        <span class={isPast ? 'gain soft' : 'gain'}>
          {result === 'FAIL' && <Worth finding={finding} rung={rung} gain={gain} />}
          <Icon name="right" />
        </span>
        <span class="m">
          <code>{checkId}</code>
          {aside}
        </span>
      </summary>
      <div class="inside">
        {outcome}
        <Inside finding={finding} {...props} />
      </div>
    </details>
  );
}

function Inside({
  finding,
  origin,
  agentHref,
  actions,
}: Pick<FindingRowProps, 'finding' | 'origin' | 'agentHref' | 'actions'>): JSX.Element {
  const { checkId, errorType, result, explanation, detail } = finding;
  const failure = failureOf(finding);
  const fix = finding.fix ?? failure?.fix ?? null;
  return (
    <>
      {result === 'FAIL' && fix !== null ? (
        <FixOf finding={finding} text={fixFor(origin, fix, detail)} />
      ) : (
        explanation !== null && (
          <p>
            <Words text={explanation} />
          </p>
        )
      )}
      {errorType !== null && failure !== null && (
        <p class="small">
          <a href={failureHref(checkId, errorType)}>
            An example, before and after<span class="hide">, {checkId}</span>
          </a>
        </p>
      )}
      <div class="row">
        {actions?.next}
        {agentHref !== null && (
          <CopyLink
            href={agentHref}
            label={
              <>
                For your agent<span class="hide">, {checkId}</span>
              </>
            }
          />
        )}
        {actions?.others}
      </div>
    </>
  );
}

const FixOf = keptPart(
  ({ finding, text }: { readonly finding: Finding; readonly text: string }) => (
    <Fix text={text} name={finding.checkId} />
  ),
  ({ finding }) => finding,
  ({ text }) => text,
);

/** `+6`, and from what to what the score goes: gains add up in the order shown. */
export function Worth({
  finding: { scored },
  rung,
  gain,
}: Pick<FindingRowProps, 'finding' | 'rung' | 'gain'>): JSX.Element {
  if (!scored) {
    return (
      <span>
        <small>not scored</small>
      </span>
    );
  }
  const points = rung ? rung.to - rung.from : (gain?.points ?? 0);
  const isAtLeast = (rung ?? gain)?.isAtLeast ?? false;
  return (
    <span>
      {points > 0 && (
        <b>
          +{points}
          {isAtLeast && <span> or more</span>}
        </b>
      )}
      {rung && rung.to >= rung.from && (
        <small>
          {rung.from} → {rung.to}
        </small>
      )}
    </span>
  );
}
