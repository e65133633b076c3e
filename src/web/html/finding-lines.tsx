import type { JSX } from 'preact';
import type { Finding } from '../../scanner/verdict/finding.js';
import { CountedFold } from './fold.js';
import { Mark } from './icons.js';
import { checkHref } from './result.js';
import { Words } from './text.js';

export interface FindingLinesProps {
  readonly title: string;
  readonly findings: readonly Finding[];
  readonly isOpen?: boolean;
  /** Where a finding has a page of its own; by default it leads to its check. */
  readonly pageOf: ((finding: Finding) => string) | undefined;
}

/** What needs nothing, in a fold. */
export function FindingLines({ title, findings, isOpen = false, pageOf }: FindingLinesProps): JSX.Element | null {
  if (findings.length === 0) return null;
  const unscored = findings.filter(({ scored }) => !scored).length;
  const count = unscored === 0 ? findings.length : `${findings.length}, ${unscored} of them not scored`;
  return (
    <CountedFold title={title} count={count} isOpen={isOpen}>
      <ul class="lines">
        {findings.map((finding) => (
          <li key={finding.checkId} id={finding.checkId}>
            <Mark result={finding.result} scored={finding.scored} isSaid />
            <span>
              <a href={pageOf?.(finding) ?? checkHref(finding.checkId)}>{finding.title ?? finding.checkId}</a>
              {finding.detail !== null && (
                <span class="says">
                  <Words text={finding.detail} />
                </span>
              )}
            </span>{' '}
            <code class="soft">{finding.checkId}</code>
          </li>
        ))}
      </ul>
    </CountedFold>
  );
}
