import type { JSX } from 'preact';
import { WAITING_PINS } from '../../../scanner/report/pins.js';
import { Mast } from '../../kit/components/mast.js';
import { FindField } from '../../kit/components/pick.js';
import { Prose, ShortProse } from '../../kit/components/prose.js';
import { Snippet } from '../../kit/components/text.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { Anchors, sectionsOf, SideNav } from '../public/long-page.js';
import { TableProse } from '../public/table-prose.js';
import { nameOfRef, type Operation, type Reference } from './api-document.js';
import { curlLine } from './examples.js';
import { hiddenUnless, type ReferenceFilter } from './filter.js';
import { OperationSection, verbOf } from './operation.js';
import { Schemas, schemaId, TypeName } from './schema.js';
import { SpecTable } from './spec-table.js';
import { KeyForm } from './try-it.js';

interface ReferencePageProps {
  readonly reference: Reference;
  readonly baseUrl: string;
  readonly filter: ReferenceFilter;
}

/** A pillar of the API is a group of the pages, which have one more. */
const GROUPS = `Our pages show the checks in ${WAITING_PINS.length} groups: ${WAITING_PINS.map(({ pillar, name }) => `${name} (${pillar === null ? 'no pillar' : `Pillar ${pillar}`})`).join(', ')}.`;

/** The operation that a newcomer tries first. */
const FIRST_OPERATION = 'getLatestRun';

export function ReferencePage({ reference, baseUrl, filter }: ReferencePageProps): JSX.Element {
  const { operations, messages, headers, schemas, examples } = reference;
  return (
    <div class="w ref">
      <SideNav label="On this page">
        <Contents reference={reference} filter={filter} />
      </SideNav>
      <div>
        <Start reference={reference} baseUrl={baseUrl} filter={filter} />
        <h2 class="part" id="operations">
          Operations
        </h2>
        {inOrder(operations).map((operation) => (
          <OperationSection
            key={operation.operationId}
            operation={operation}
            baseUrl={baseUrl}
            example={exampleOf(operation, reference)}
            isShown={filter.operation(operation)}
            isSought={filter.find !== ''}
          />
        ))}
        <h2 class="part" id="messages">
          Messages to webhooks
        </h2>
        <p class="soft">The OpenAPI document has their fields and headers.</p>
        <Messages messages={messages} filter={filter} />
        <h2 class="part" id="headers">
          Headers of answers
        </h2>
        <Headers headers={headers} filter={filter} />
        <h2 class="part" id="schemas">
          Schemas
        </h2>
        <p class="soft">{GROUPS}</p>
        <Schemas schemas={schemas} examples={without(operations.map(answerOf), examples)} filter={filter} />
      </div>
    </div>
  );
}

/** What a newcomer does comes first: the description of the API is for programs. */
function inOrder(operations: readonly Operation[]): readonly Operation[] {
  return operations.toSorted((one, other) => Number(other.needsKey) - Number(one.needsKey));
}

/** What the first answer looks like, where no operation before it has the same. */
function exampleOf(operation: Operation, { operations, examples }: Reference): unknown {
  const name = answerOf(operation);
  if (name === null || operations.find((one) => answerOf(one) === name) !== operation) return undefined;
  return examples.get(name);
}

/** The examples that no operation shows. */
function without(shown: readonly (string | null)[], examples: Reference['examples']): Reference['examples'] {
  return new Map([...examples].filter(([name]) => !shown.includes(name)));
}

/** The schema of the first answer's body. */
function answerOf({ answers: [first] }: Operation): string | null {
  return first?.body?.$ref === undefined ? null : nameOfRef(first.body.$ref);
}

/** What holds for all operations, with a first request next to it. */
function Start({ reference, baseUrl, filter }: ReferencePageProps): JSX.Element {
  const { operations, description, version } = reference;
  const documentPath = operations.find(({ operationId }) => operationId === 'description')?.path ?? '';
  const first = operations.find(({ operationId }) => operationId === FIRST_OPERATION);
  const [introduction = '', ...chapters] = chaptersOf(description);
  return (
    <div class="op">
      <div class="chapters">
        <div {...hiddenUnless(filter.find === '')}>
          <Prose text={introduction} />
          <TableProse text={chapters.join('')} />
        </div>
      </div>
      <div class="shown">
        {first && <Snippet text={curlLine(first, baseUrl)} label="a first request" />}
        <p class="small">
          Made from the <a href={documentPath}>OpenAPI document</a> that the API serves: give it to your own tools to
          generate a client. Version {version}. Base address: <code>{baseUrl}</code>
        </p>
        <KeyForm />
      </div>
    </div>
  );
}

/** The introduction, then each chapter with its heading. */
function chaptersOf(description: string): readonly string[] {
  return description.split(/^(?=## )/m);
}

/** The head of the page, with a form that needs no script. */
export function ReferenceMast({ filter: { find } }: Pick<ReferencePageProps, 'filter'>): JSX.Element {
  return (
    <Mast title="API reference" lead="Start runs of your sites, and read what they found.">
      <form class="row" role="search" action={PUBLIC_PAGES.api.path}>
        <FindField name="find" label="Find in the reference" placeholder="Find: 429, ETag, score" value={find} />
        <button class="quiet" type="submit">
          Find
        </button>
        {find !== '' && (
          <span role="status">
            What says “{find}”. <a href={PUBLIC_PAGES.api.path}>Show all</a>
          </span>
        )}
      </form>
    </Mast>
  );
}

function Contents({ reference, filter }: Omit<ReferencePageProps, 'baseUrl'>): JSX.Element {
  const { operations, schemas, description } = reference;
  return (
    <>
      <h2>Start</h2>
      <Anchors links={[...sectionsOf(description), ['try-it', 'Try it']]} />
      <h2>Operations</h2>
      <ul>
        {inOrder(operations)
          .filter((operation) => filter.operation(operation))
          .map((operation) => (
            <OperationLink key={operation.operationId} operation={operation} />
          ))}
      </ul>
      <h2>Answers and messages</h2>
      <Anchors
        links={[
          ['headers', 'Headers'],
          ['messages', 'Webhooks'],
        ]}
      />
      <h2>Schemas</h2>
      <Anchors
        links={[...schemas]
          .filter(([name, schema]) => filter.schema(name, schema))
          .map(([name]) => [schemaId(name), name])}
      />
    </>
  );
}

function OperationLink({ operation: { operationId, method } }: { readonly operation: Operation }): JSX.Element {
  return (
    <li>
      <a href={`#${operationId}`}>
        {operationId} <span class={verbOf(method)}>{method}</span>
      </a>
    </li>
  );
}

function Messages({ messages, filter }: Pick<Reference, 'messages'> & Pick<ReferencePageProps, 'filter'>): JSX.Element {
  return (
    <SpecTable
      caption={<span class="hide">Messages to webhooks</span>}
      kind="Message"
      rows={messages
        .filter((message) => filter.message(message))
        .map(({ type, description }) => ({ name: type, type: '', meaning: <ShortProse text={description} /> }))}
    />
  );
}

function Headers({ headers, filter }: Pick<Reference, 'headers'> & Pick<ReferencePageProps, 'filter'>): JSX.Element {
  return (
    <SpecTable
      caption={<span class="hide">Headers of answers</span>}
      kind="Header"
      rows={[...headers]
        .filter(([name, header]) => filter.header(name, header))
        .map(([name, { description, schema }]) => ({
          name,
          type: <TypeName schema={schema} />,
          meaning: <ShortProse text={description ?? ''} />,
        }))}
    />
  );
}
