import { readFileSync } from 'node:fs';
import type { JSX } from 'preact';
import type { Check } from '../../scanner/verdict/check.js';
import { Prose } from '../html/prose.js';
import { countOf, formatCount } from '../../scanner/artifacts/counts.js';
import { capitalise } from '../html/format.js';
import { checkHref } from '../html/result.js';
import type { PageText } from './page-text.js';
import { rowsOf } from './table-prose.js';
import { Fold } from '../html/fold.js';
import { TableHead } from '../html/table.js';

/** What `make accuracy` wrote into docs/accuracy.md, as the build keeps it. */
const ACCURACY = readFileSync(new URL('../../../generated/accuracy.md', import.meta.url), 'utf8');

/** From there on it speaks to contributors. */
const FOR_CONTRIBUTORS = '\n## How this page is made\n';

/** The measured accuracy of the checks, without what only a checkout can follow. */
export function accuracyText(): PageText {
  const [, lead = '', ...rest] = (ACCURACY.split(FOR_CONTRIBUTORS)[0] ?? '').trim().split('\n\n');
  const body = withoutEmpty(rest.join('\n\n')).replace(/\[([^[\]]+)\]\(\.\.?\/[^()]*\)/g, '$1');
  return { heading: 'Accuracy', lead, body };
}

/** Without the meaning of columns that have nothing but zeros, which the tables leave out. */
function withoutEmpty(text: string): string {
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|'));
  const head = rows[0] ?? [];
  const isEmpty = (name: string): boolean => {
    const index = head.findIndex((cell) => cell.trim() === name);
    return index >= 0 && rows.every((row) => !(Number(row[index]) > 0));
  };
  return text.replaceAll(/^- \*\*([a-z]+)\*\*: .*\n?/gm, (line, name: string) => (isEmpty(name) ? '' : line));
}

/** The cells of the last row of a table, `| all | 1912 | 1901 | …`, without its name. */
function sumsOf(text: string): readonly string[] {
  return (/^\| all .*$/m.exec(text)?.[0] ?? '').split('|').slice(2);
}

/** `1,901 of 1,912` */
function totalOf(text: string): string {
  const [judged, right] = sumsOf(text);
  return `${group(right)} of ${group(judged)}`;
}

function group(digits = ''): string {
  return formatCount(Number(digits));
}

interface AccuracyProps extends Pick<PageText, 'body'> {
  /** The registry. */
  readonly checks: readonly Check[];
}

/** How many of a hundred it gets right, and what becomes of the others. */
export function AccuracyFigure({ body }: Pick<PageText, 'body'>): JSX.Element {
  const [judged = '', right = '', alarms, missed] = sumsOf(body);
  return (
    <p class="score">
      <b class="num">
        {percentOf(judged, right)}
        <small>%</small>
      </b>
      <span>
        <span class="soft">right: {totalOf(body)} independent cases</span>
        <strong>
          {countOf(Number(alarms), 'false alarm')}, {Number(missed)} missed
        </strong>
      </span>
    </p>
  );
}

/** The text with its tables as tables; one without a mistake is folded, since its sum says it all. */
export function AccuracyProse({ body, checks }: AccuracyProps): JSX.Element {
  return (
    <>
      {partsOf(body).map((part) => {
        if (!part.startsWith('|')) return <Prose key={part} text={part} />;
        const total = totalOf(part);
        const [right, judged] = total.split(' of ');
        if (right !== judged) return <CountTable key={part} table={part} checks={checks} />;
        return (
          <Fold key={part} title={`Right in ${total}, by check`}>
            <CountTable table={part} checks={checks} />
          </Fold>
        );
      })}
    </>
  );
}

/** Tables, and what stands between them. */
function partsOf(body: string): readonly string[] {
  return body.split(/\n\n(?=\|)|(?<=\|)\n\n/);
}

/** Without columns that have nothing but zeros. On a narrow screen its rows become blocks. */
function CountTable({ table, checks }: Pick<AccuracyProps, 'checks'> & { readonly table: string }): JSX.Element {
  const [head = [], ...rows] = rowsOf(table);
  const columns = head.flatMap((title, index) =>
    index > 0 && rows.some((row) => row[index] !== '0') ? [{ title, index }] : [],
  );
  return (
    <table class="counts stack">
      <TableHead
        columns={[
          [capitalise(head[0] ?? '')],
          ...columns.map(({ title }) => [capitalise(title), 'r'] as const),
          ['Right, in %', 'r'],
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]}>
            <th scope="row">
              <RowName name={row[0] ?? ''} checks={checks} />
            </th>
            {columns.map(({ title, index }) => (
              <td key={title} class={row[index] === '0' ? 'r soft' : 'r'} data-label={capitalise(title)}>
                {group(row[index])}
              </td>
            ))}
            <td class="r" data-label="Right, in %">
              {percentOf(row[1], row[2])}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `99.4`: to the nearest tenth, but 100 only where all are right. */
function percentOf(judged = '', right = ''): string {
  const tenths = Math.round((Number(right) / Number(judged)) * 1000);
  return (Math.min(tenths, Number(right) === Number(judged) ? 1000 : 999) / 10).toFixed(1);
}

/** A check by its title, the sum, or what stands for single decisions. */
function RowName({ name, checks }: Pick<AccuracyProps, 'checks'> & { readonly name: string }): JSX.Element {
  const check = checks.find(({ id }) => id === name);
  if (!check) return <>{name === 'all' ? 'All' : <code>{name}</code>}</>;
  return (
    <>
      <a href={checkHref(name)}>{check.title}</a> <code class="soft">{name}</code>
    </>
  );
}
