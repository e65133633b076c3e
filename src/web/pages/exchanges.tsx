import type { ComponentChildren, JSX } from 'preact';
import { countOf } from '../../scanner/artifacts/counts.js';
import { describeFailure } from '../../scanner/artifacts/resource.js';
import type { OtherExchange, ShownEvidence, ShownExchange, SiteExchange } from '../../scanner/trace/kept-evidence.js';
import { Icon } from '../html/icons.js';
import { Group } from '../html/mast.js';
import { Snippet } from '../html/text.js';
import { Quote, quotedOf } from './quote.js';
import { curlOf, shortAddress, visible } from './words.js';
import { Fold } from '../html/fold.js';

export interface RequestsProps {
  readonly shown: ShownEvidence;
  readonly origin: string;
  /** True if the quote is shown above already. */
  readonly isQuoted: boolean;
}

/** The purpose of each group of requests. */
const GROUPS = [
  {
    ...{ name: 'Proof', meaning: 'the basis of the verdict' },
    matches: ({ exchange, isRemote }: ShownExchange) => !isRemote && !exchange.isControl,
  },
  {
    ...{ name: 'Cross-check', meaning: 'an address that cannot exist' },
    matches: ({ exchange, isRemote }: ShownExchange) => !isRemote && exchange.isControl,
  },
  {
    ...{ name: 'Others', meaning: 'what led to the proof' },
    matches: ({ isRemote }: ShownExchange) => isRemote,
  },
] as const;

/** Stored requests behind a finding: the proof, the cross-checks, and the requests that led to them. */
export function Requests({ shown, origin, isQuoted }: RequestsProps): JSX.Element {
  const { exchanges } = shown;
  const above = isQuoted ? quotedOf(shown)?.excerpt : undefined;
  const groups = GROUPS.map(({ matches, ...group }) => ({ ...group, matching: exchanges.filter(matches) }));
  const ordered = groups.flatMap(({ matching }) => matching);
  const rowsOf = (matching: readonly ShownExchange[]): JSX.Element[] =>
    matching.map((one) => (
      <Request
        key={ordered.indexOf(one)}
        number={ordered.indexOf(one) + 1}
        {...{ origin, one }}
        isAbove={one.excerpt !== null && one.excerpt === above}
      />
    ));
  return (
    <>
      {groups.map(({ name, meaning, matching }) =>
        matching.length === 0 ? null : (
          <Group key={name} level="h3" title={name} meaning={meaning}>
            {name === 'Others' ? <Others count={matching.length}>{rowsOf(matching)}</Others> : rowsOf(matching)}
          </Group>
        ),
      )}
    </>
  );
}

/** Requests that decide nothing, behind a fold. */
function Others({ count, children }: { readonly count: number; readonly children: ComponentChildren }): JSX.Element {
  return (
    <Fold title={countOf(count, 'request')}>
      <div>{children}</div>
    </Fold>
  );
}

interface RequestProps extends Pick<RequestsProps, 'origin'> {
  /** Starts at 1. */
  readonly number: number;
  readonly one: ShownExchange;
  /** True if its excerpt is shown above already. */
  readonly isAbove: boolean;
}

function Request({ number, one, isAbove, origin }: RequestProps): JSX.Element {
  const { exchange, excerpt } = one;
  if (exchange.source !== 'site') return <OtherRequest {...exchange} number={number} />;
  const { answer, durationMs } = exchange;
  const role = roleOf(one);
  return (
    <details class="finding">
      <summary>
        <span class="num soft">{number}</span>
        <span class="mono w6">
          {exchange.method} {shortAddress(exchange, origin)}
        </span>
        {role !== null && <span class="d small">{role}</span>}
        <span class="gain">
          <span>
            <b>{'status' in answer ? answer.status : 'no answer'}</b>
            {durationMs !== null && <small>{durationMs} ms</small>}
          </span>
          <Icon name="right" />
        </span>
      </summary>
      <div class="inside">
        <Traffic exchange={exchange} />
        {excerpt && !isAbove && <Quote {...{ exchange, excerpt, origin }} />}
        <Snippet text={curlOf(exchange)} label={`command that repeats request ${number}`} />
      </div>
    </details>
  );
}

/** Says what the request was for, unless its group does, and how it failed if it has no status. */
function roleOf({ exchange, excerpt }: ShownExchange): string | null {
  const role = excerpt && excerpt.marked.length > 0 ? 'the answer that the finding names' : null;
  const failure = exchange.source === 'site' && 'failure' in exchange.answer ? exchange.answer.failure : null;
  const words = [role, failure && describeFailure(failure).text].filter((part) => part !== null);
  return words.join(': ') || null;
}

/** Shows what was sent, and the stored part of the answer: its header fields and the digest of its body. */
function Traffic({ exchange }: { readonly exchange: SiteExchange }): JSX.Element {
  const { method, url, userAgent, accept, answer } = exchange;
  const sent = [`> ${method} ${visible(url)}`, `> user-agent: ${userAgent}`, `> accept: ${accept}`];
  const received =
    'status' in answer
      ? [`< ${answer.status}`, ...answer.headers.map(([name, value]) => `< ${name}: ${visible(value)}`)]
      : [`< ${describeFailure(answer.failure).text}`];
  return (
    <>
      <div class="code lite">
        <pre>
          <code>
            <span class="dim">{sent.join('\n')}</span>
            {`\n${received.join('\n')}`}
          </code>
        </pre>
      </div>
      {'status' in answer && answer.body && (
        <p class="soft small">
          Body: {answer.body.isOverLimit && 'more than '}
          {countOf(answer.body.byteCount, 'byte')}, SHA-256 <code>{answer.body.sha256}</code>
        </p>
      )}
    </>
  );
}

/** A request whose text is not stored. */
function OtherRequest({ source, outcome, number }: OtherExchange & { readonly number: number }): JSX.Element {
  const [what, stored]: readonly [ComponentChildren, ComponentChildren] =
    source === 'other host'
      ? [`A request to a host that is not the site’s: ${outcome}`, 'Nothing else of it is kept.']
      : ['A request to a private address that is not this site’s own', 'We store nothing of its answer.'];
  return (
    <div class="finding still">
      <span class="num soft">{number}</span>
      <span>
        {what}. <span class="soft">{stored}</span>
      </span>
    </div>
  );
}
