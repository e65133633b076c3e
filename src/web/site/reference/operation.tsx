import type { JSX } from 'preact';
import { Prose, ShortProse } from '../../kit/components/prose.js';
import { Snippet } from '../../kit/components/text.js';
import type { Operation } from './api-document.js';
import { TypeName } from './schema.js';
import { SpecTable } from './spec-table.js';
import { TryIt } from './try-it.js';

/** One operation: how to call it, and every answer that it gives. */
export function OperationSection({ operation, baseUrl }: { readonly operation: Operation; readonly baseUrl: string }) {
  const { operationId, method, path, summary, description, parameters, answers, needsKey } = operation;
  return (
    <section id={operationId} aria-labelledby={`${operationId}-name`}>
      <h3 id={`${operationId}-name`}>{summary}</h3>
      <p class="endpoint">
        <span class="method">{method}</span> <code>{path}</code>
        <span class="soft"> {operationId}</span>
      </p>
      <Prose text={description} />
      <p>{needsKey ? 'Needs an API key.' : 'Needs no key.'}</p>
      <Snippet text={curlLine(operation, baseUrl)} label={`curl line of ${operationId}`} />
      <TryIt operation={operation} />
      {parameters.length > 0 && <Parameters operationId={operationId} parameters={parameters} />}
      <Answers operationId={operationId} answers={answers} />
    </section>
  );
}

/** A line for a shell in which the parameters are variables: `siteId` is $SITE_ID. */
export function curlLine({ method, path, needsKey }: Operation, baseUrl: string): string {
  const shellPath = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${shellName(name)}`);
  const options = [method === 'GET' ? '' : `-X ${method}`, needsKey ? '-H "Authorization: Bearer $API_KEY"' : ''];
  return ['curl', ...options.filter((option) => option !== ''), `"${baseUrl}${shellPath}"`].join(' ');
}

function shellName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function Parameters({ operationId, parameters }: Pick<Operation, 'operationId' | 'parameters'>): JSX.Element {
  return (
    <SpecTable
      caption={<Caption words="Parameters" operationId={operationId} />}
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

function Answers({ operationId, answers }: Pick<Operation, 'operationId' | 'answers'>): JSX.Element {
  return (
    <SpecTable
      caption={<Caption words="Answers" operationId={operationId} />}
      kind="Status"
      rows={answers.map(({ status, description, body, headers }) => ({
        name: status,
        type: body ? <TypeName schema={body} /> : 'no body',
        meaning: (
          <>
            <ShortProse text={description} />
            <span class="type">Headers: {Object.keys(headers).join(', ')}</span>
          </>
        ),
      }))}
    />
  );
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
