import type { JSX } from 'preact';
import { ShortProse, Prose } from '../../kit/components/prose.js';
import { Tabs } from '../../kit/components/tabs.js';
import { Snippet } from '../../kit/components/text.js';
import type { Answer, Operation } from './api-document.js';
import { abridge, curlLine, fetchLines, pythonLines } from './examples.js';
import { hiddenUnless } from './filter.js';
import { TypeName } from './schema.js';
import { type SpecRow, SpecTable } from './spec-table.js';
import { TryIt } from './try-it.js';
import { Fold } from '../../kit/components/fold.js';

export interface OperationProps {
  readonly operation: Operation;
  readonly baseUrl: string;
  /** Of the first answer's body; undefined where none is shown. */
  readonly example: unknown;
  /** Whether a filter leaves it in sight. */
  readonly isShown: boolean;
  /** Whether there is a filter. */
  readonly isSought: boolean;
}

/** One operation: how to call it, and every answer that it gives; examples stand next to that where there is room. */
export function OperationSection({ operation, baseUrl, example, isShown, isSought }: OperationProps): JSX.Element {
  const { operationId, method, path, summary, description, parameters, answers, needsKey } = operation;
  return (
    <section id={operationId} class="op" aria-labelledby={`${operationId}-name`} {...hiddenUnless(isShown)}>
      <div>
        <h3 id={`${operationId}-name`}>{summary}</h3>
        <p class="path">
          <b class={verbOf(method)}>{method}</b> <code>{path}</code>
        </p>
        <Prose text={description} />
        <p>
          {needsKey ? 'Needs an API key.' : 'Needs no key.'} <span class="soft small">{operationId}</span>
        </p>
        {parameters.length > 0 && <Parameters operationId={operationId} parameters={parameters} />}
        <Answers operationId={operationId} answers={answers} isOpen={isSought} />
        <TryIt operation={operation} />
      </div>
      <div class="shown">
        <Tabs
          label={`Language for ${operationId}`}
          name={`${operationId}-language`}
          panels={[
            ['curl', <Snippet text={curlLine(operation, baseUrl)} label={`curl line of ${operationId}`} />],
            ['TypeScript', <Snippet text={fetchLines(operation, baseUrl)} label={`TypeScript for ${operationId}`} />],
            ['Python', <Snippet text={pythonLines(operation, baseUrl)} label={`Python for ${operationId}`} />],
          ]}
        />
        {example !== undefined && (
          <div class="code lite">
            <p class="whose">
              <span>{answers[0]?.status}, abridged</span>
            </p>
            <pre>
              <code>{JSON.stringify(abridge(example), null, 2)}</code>
            </pre>
          </div>
        )}
      </div>
    </section>
  );
}

/** The class of a method's name: what changes something is solid. */
export function verbOf(method: string): string {
  return method === 'GET' ? 'verb' : 'verb acts';
}

function Parameters({ operationId, parameters }: Pick<Operation, 'operationId' | 'parameters'>): JSX.Element {
  return (
    <SpecTable
      caption={<Caption words="What you send" operationId={operationId} />}
      kind="Parameter"
      rows={parameters.map((parameter) => ({
        name: parameter.name,
        type: (
          <>
            {parameter.in}, <TypeName schema={parameter.schema} />
            {parameter.required !== true && ', optional'}
          </>
        ),
        meaning: <ShortProse text={parameter.description ?? ''} />,
      }))}
    />
  );
}

type AnswersProps = Pick<Operation, 'operationId' | 'answers'> & {
  /** Whether the refusals are open: somebody looks for words that may be among them. */
  readonly isOpen: boolean;
};

/** What it answers when all is well, and its refusals folded. */
function Answers({ operationId, answers, isOpen }: AnswersProps): JSX.Element {
  const refusals = answers.filter(isRefusal);
  const common = commonHeaders(answers);
  const answerRows = (some: readonly Answer[]) => some.map((answer) => rowOf(answer, common));
  return (
    <>
      <SpecTable
        caption={<Caption words="What you get" operationId={operationId} />}
        kind="Status"
        isNarrow
        rows={answerRows(answers.filter((answer) => !isRefusal(answer)))}
      />
      <p class="type">Headers of every answer: {common.join(', ')}</p>
      {refusals.length > 0 && (
        <Fold
          isOpen={isOpen}
          title={
            <span>
              Refusals<span class="hide"> of {operationId}</span>{' '}
              <span class="soft w4">{refusals.map(({ status }) => status).join(', ')}</span>
            </span>
          }
        >
          <SpecTable
            caption={<span class="hide">Refusals of {operationId}</span>}
            kind="Status"
            isNarrow
            rows={answerRows(refusals)}
          />
        </Fold>
      )}
    </>
  );
}

function isRefusal({ status }: Answer): boolean {
  return Number(status) >= 400;
}

function commonHeaders(answers: readonly Answer[]): readonly string[] {
  const [first, ...others] = answers.map(({ headers }) => Object.keys(headers));
  return (first ?? []).filter((name) => others.every((names) => names.includes(name)));
}

function rowOf({ status, description, body, headers }: Answer, common: readonly string[]): SpecRow {
  const own = Object.keys(headers).filter((name) => !common.includes(name));
  return {
    name: status,
    type: body ? <TypeName schema={body} /> : 'no body',
    meaning: (
      <>
        <ShortProse text={description} />
        {own.length > 0 && <span class="type">With {own.join(', ')}</span>}
      </>
    ),
  };
}

/** Heard out of its section, a caption has to say whose it is. */
function Caption({ words, operationId }: { readonly words: string; readonly operationId: string }): JSX.Element {
  return (
    <>
      {words}
      <span class="hide"> of {operationId}</span>
    </>
  );
}
