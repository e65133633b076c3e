import { readFileSync } from 'node:fs';
import type { JSX } from 'preact';
import { Prose } from '../../kit/components/prose.js';
import type { PageText } from './page-text.js';

/** What `make accuracy` wrote into docs/accuracy.md, as the build keeps it. */
const ACCURACY = readFileSync(new URL('../../../../generated/accuracy.md', import.meta.url), 'utf8');

/** From there on it speaks to contributors. */
const FOR_CONTRIBUTORS = '\n## How this page is made\n';

/** The measured accuracy of the checks, without what only a checkout can follow. */
export function accuracyText(): PageText {
  const [, lead = '', ...rest] = (ACCURACY.split(FOR_CONTRIBUTORS)[0] ?? '').trim().split('\n\n');
  const body = rest.join('\n\n').replace(/\[([^\]]+)\]\(\.\.?\/[^)]*\)/g, '$1');
  const { judged, right } = totalOf(body.split("\n## Others' files\n")[1] ?? '');
  return { heading: `Right in ${right} of ${judged} cases from others’ files`, lead, body };
}

/** The last row of a table: `| all | 1912 | 1901 | …`. */
function totalOf(text: string): { readonly judged: string; readonly right: string } {
  const [, judged, right] = (/^\| all .*$/m.exec(text)?.[0] ?? '').split('|').slice(1);
  return { judged: group(judged), right: group(right) };
}

function group(digits = ''): string {
  return Number(digits).toLocaleString('en-GB');
}

/** The text with its tables as tables. */
export function AccuracyProse({ body }: Pick<PageText, 'body'>): JSX.Element {
  return (
    <>
      {partsOf(body).map((part) =>
        part.startsWith('|') ? <CountTable key={part} rows={rowsOf(part)} /> : <Prose key={part} text={part} />,
      )}
    </>
  );
}

/** Tables, and what stands between them. */
function partsOf(body: string): readonly string[] {
  return body.split(/\n\n(?=\|)|(?<=\|)\n\n/);
}

function rowsOf(table: string): readonly (readonly string[])[] {
  const rows = table.trim().split('\n');
  return rows
    .filter((_, index) => index !== 1)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function CountTable({ rows: [head = [], ...rows] }: { readonly rows: readonly (readonly string[])[] }): JSX.Element {
  return (
    <div class="wide" role="region" tabIndex={0} aria-label={`${rows.length - 1} rows by ${head[0] ?? ''}`}>
      <table class="counts">
        <thead>
          <tr>
            {head.map((title, index) => (
              <th key={title} scope="col" class={index > 0 ? 'r' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...counts]) => (
            <tr key={name}>
              <th scope="row">{name === 'all' ? name : <code>{name}</code>}</th>
              {counts.map((count, index) => (
                <td key={head[index + 1]} class={count === '0' ? 'r soft' : 'r'}>
                  {group(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
