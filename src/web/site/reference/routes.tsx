import type { JSX } from 'preact';
import { Prose, ShortProse } from '../../kit/components/prose.js';
import { StructuredData } from '../../kit/components/structured-data.js';
import { pageLinks } from '../discovery/page-links.js';
import { Heading } from '../../kit/layout.js';
import type { SitePart } from '../deps.js';
import { pageEntities } from '../public/entities.js';
import { PUBLIC_PAGES } from '../../kit/public-pages.js';
import { readReference, type Reference } from './api-document.js';
import { OperationSection } from './operation.js';
import { SchemaSection, schemaId, TypeName } from './schema.js';
import { SpecTable } from './spec-table.js';
import { KeyForm } from './try-it.js';

/** The reference of the API, made from the document that the API serves. */
export const addReferenceRoutes: SitePart = (router, { document, publicUrl, sendConstantPage }) => {
  const reference = readReference(document);
  const { path, title, description } = PUBLIC_PAGES.api;
  router.get(path, (ctx) => {
    ctx.set('Link', pageLinks(PUBLIC_PAGES.api));
    sendConstantPage(ctx, () => ({
      title,
      description,
      scripts: ['api-reference.js'],
      styles: ['api-reference.css'],
      head: <StructuredData nodes={pageEntities(PUBLIC_PAGES.api, publicUrl)} />,
      main: <ReferencePage reference={reference} baseUrl={publicUrl} />,
    }));
  });
};

interface ReferencePageProps {
  readonly reference: Reference;
  readonly baseUrl: string;
}

function ReferencePage({ reference, baseUrl }: ReferencePageProps): JSX.Element {
  const { operations, headers, schemas, examples, description, version } = reference;
  const documentPath = operations.find(({ operationId }) => operationId === 'description')?.path ?? '';
  const [introduction = '', ...chapters] = description.split(/^(?=## )/m);
  return (
    <>
      <Heading lead={`Version ${version}. Base address: ${baseUrl}`}>API reference</Heading>
      <Prose text={introduction} />
      <p>
        This page is made from the <a href={documentPath}>OpenAPI document</a> that the API serves. Give it to your own
        tools to generate a client.
      </p>
      <div class="with-contents">
        <Contents reference={reference} />
        <div>
          <KeyForm />
          <Prose text={chapters.join('')} />
          <h2 id="operations">Operations</h2>
          {operations.map((operation) => (
            <OperationSection key={operation.operationId} operation={operation} baseUrl={baseUrl} />
          ))}
          <h2 id="headers">Headers of answers</h2>
          <Headers headers={headers} />
          <h2 id="schemas">Schemas</h2>
          {[...schemas].map(([name, schema]) => (
            <SchemaSection key={name} name={name} schema={schema} example={examples.get(name)} />
          ))}
        </div>
      </div>
    </>
  );
}

function Contents({ reference: { operations, schemas } }: { readonly reference: Reference }): JSX.Element {
  return (
    <nav class="contents" aria-label="On this page">
      <ul>
        <li>
          <a href="#try-it">Try it</a>
        </li>
        <li>
          <a href="#operations">Operations</a>
          <Links links={operations.map(({ operationId, summary }) => [operationId, summary])} />
        </li>
        <li>
          <a href="#headers">Headers of answers</a>
        </li>
        <li>
          <a href="#schemas">Schemas</a>
          <Links links={[...schemas.keys()].map((name) => [schemaId(name), name])} />
        </li>
      </ul>
    </nav>
  );
}

/** Links within the page. */
function Links({ links }: { readonly links: readonly (readonly [id: string, text: string])[] }): JSX.Element {
  return (
    <ul>
      {links.map(([id, text]) => (
        <li key={id}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

function Headers({ headers }: Pick<Reference, 'headers'>): JSX.Element {
  return (
    <SpecTable
      caption={<span class="hide">Headers of answers</span>}
      kind="Header"
      rows={[...headers].map(([name, { description, schema }]) => ({
        name,
        type: <TypeName schema={schema} />,
        meaning: <ShortProse text={description ?? ''} />,
      }))}
    />
  );
}
