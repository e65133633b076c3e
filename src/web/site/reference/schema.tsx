import type { ComponentChildren, JSX } from 'preact';
import { Prose, ShortProse } from '../../kit/components/prose.js';
import { nameOfRef, type Reference, type Schema } from './api-document.js';
import { abridge } from './examples.js';
import { hiddenUnless, type ReferenceFilter } from './filter.js';
import { SpecTable } from './spec-table.js';
import { Fold } from '../../kit/components/fold.js';

/** The id of a schema's section. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** The type of a value in words: `integer or null, 0 to 100`; a named one as a link to its section. */
export function TypeName({ schema }: { readonly schema: Schema }): JSX.Element {
  const limits = describeLimits(schema);
  return (
    <>
      {nameType(schema)}
      {limits.length > 0 && `, ${limits.join(', ')}`}
    </>
  );
}

function nameType({ $ref, type, items, anyOf }: Schema): ComponentChildren {
  if ($ref !== undefined) {
    const name = nameOfRef($ref);
    return <a href={`#${schemaId(name)}`}>{name}</a>;
  }
  if (anyOf) return anyOf.map((one, index) => [index > 0 && ' or ', nameType(one)]);
  if (type === 'array' && items) return ['array of ', nameType(items)];
  return typeof type === 'string' ? type : (type ?? ['any value']).join(' or ');
}

function describeLimits({ format, pattern, minimum, maximum, enum: values }: Schema): readonly string[] {
  const limits: string[] = [];
  if (format !== undefined) limits.push(format);
  if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) limits.push(`at least ${minimum}`);
  if (pattern !== undefined) limits.push(`matching ${pattern}`);
  if (values) limits.push(values.length === 1 ? `always ${values[0]}` : `one of ${values.length} values`);
  return limits;
}

/** The schemas, one below the other. */
export function Schemas({
  schemas,
  examples,
  filter,
}: Pick<Reference, 'schemas' | 'examples'> & { filter: ReferenceFilter }): JSX.Element {
  return (
    <div class="schemas">
      {[...schemas].map(([name, schema]) => (
        <SchemaSection
          key={name}
          {...{ name, schema }}
          example={examples.get(name)}
          isShown={filter.schema(name, schema)}
        />
      ))}
    </div>
  );
}

/** A named schema: what it is, and its properties. */
function SchemaSection(props: {
  readonly name: string;
  readonly schema: Schema;
  readonly example: unknown;
  /** Whether a filter leaves it in sight. */
  readonly isShown: boolean;
}): JSX.Element {
  const { name, schema, example, isShown } = props;
  const { description, properties, required = [] } = schema;
  return (
    <section id={schemaId(name)} class="op" aria-labelledby={`${schemaId(name)}-name`} {...hiddenUnless(isShown)}>
      <div>
        <h3 id={`${schemaId(name)}-name`}>{name}</h3>
        {!properties && (
          <p class="soft">
            <TypeName schema={schema} />
          </p>
        )}
        {description !== undefined && <Prose text={description} />}
        {properties && (
          <SpecTable
            caption={<span class="hide">Properties of {name}</span>}
            kind="Property"
            rows={Object.entries(properties).map(([property, its]) => ({
              name: property,
              type: (
                <>
                  <TypeName schema={its} />
                  {!required.includes(property) && ', optional'}
                </>
              ),
              meaning: <ShortProse text={its.description ?? ''} />,
            }))}
          />
        )}
      </div>
      {example !== undefined && (
        <Fold title={`Example of ${name}`}>
          <div class="code lite">
            <pre>
              <code>{JSON.stringify(abridge(example), null, 2)}</code>
            </pre>
          </div>
        </Fold>
      )}
    </section>
  );
}
