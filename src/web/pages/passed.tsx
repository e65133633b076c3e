import type { JSX } from 'preact';
import { checkOf, failuresOf } from '../../scanner/report/failures.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import { checkHref, failureHref } from '../html/result.js';
import { CountedFold } from '../html/fold.js';
import { Snippet, Words } from '../html/text.js';
import type { FindingProps } from './finding-props.js';

/** Of a check that found nothing wrong: what it looks at, where its owner sees the same, and what would have been wrong. */
export function Passed(props: FindingProps): JSX.Element {
  const { checkId, explanation } = props.finding;
  return (
    <>
      {explanation !== null && (
        <section aria-labelledby="checked">
          <h2 id="checked">What we checked</h2>
          <Explanation text={explanation} checkId={checkId} />
        </section>
      )}
      <SeeYourself {...props} />
    </>
  );
}

export function Explanation({ text, checkId }: { readonly text: string; readonly checkId: string }): JSX.Element {
  return (
    <>
      <p>
        <Words text={text} />
      </p>
      <p>
        <a href={checkHref(checkId)}>About this check</a>
      </p>
    </>
  );
}

/** Where a check looks first, by what it needs or uses: what comes first here decides. Others look where the site says. */
const LOOKED_AT = [
  ['llms', '/llms.txt', ''],
  ['llmsDocument', '/llms.txt', ''],
  ['llmsLinks', '/llms.txt', ''],
  ['robots', '/robots.txt', ''],
  ['structuredData', '/', ''],
  ['markdown', '/', " -H 'Accept: text/markdown'"],
  ['a2a', '/.well-known/agent-card.json', ''],
] as const;

/** Only the requests behind a failure are kept, so the proof of a pass is the site itself, as it answers now. */
function SeeYourself({ report, finding: { checkId, result } }: FindingProps): JSX.Element | null {
  const check = checkOf(checkId);
  if (result !== 'PASS' || !check) return null;
  // What a check needs decides it; only C-BOT-02 and C-FWD-01 merely use the robots.txt that they are about.
  const read = new Set<string>(check.needs.some((kind) => kind === 'home') ? ['robots'] : check.needs);
  const place = LOOKED_AT.find(([kind]) => read.has(kind));
  if (!place) return null;
  const [, path, option] = place;
  const url = report.origin + path;
  return (
    <section class="sec" aria-labelledby="yourself">
      <h2 id="yourself">See for yourself</h2>
      <p>
        This check looks first at {path === '/' ? 'your home page' : <code>{path}</code>}.{' '}
        <a href={url} rel="noreferrer">
          Open it
        </a>
        , or ask for it by hand:
      </p>
      <Snippet text={`curl -i${option} ${url}`} label="request" />
      <p class="soft small">Requests are kept for what fails, not for what passes.</p>
    </section>
  );
}

/** Folded: nothing of it is wrong here. */
export function WaysToFail({ finding: { checkId } }: FindingProps): JSX.Element | null {
  const failures = failuresOf(checkId);
  if (failures.length === 0) return null;
  return (
    <CountedFold title="How it can fail" count={failures.length}>
      <ul class="plain">
        {failures.map(([errorType, { headline, severity }]) => (
          <li key={errorType}>
            <a href={failureHref(checkId, errorType)}>{headline}</a>{' '}
            <span class="soft small">{SEVERITIES[severity].word}</span>
          </li>
        ))}
      </ul>
    </CountedFold>
  );
}
