import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { generatedVocabulary, listed, safeText, type Vocabulary } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { isArray, isObject, type JsonObject, type JsonValue } from '../json.js';
import { type Fault, faultOf, httpUrlOf, isTemplated, type Part, partOf, type Problems } from './shape.js';

/** The form of a manifest, as JSON Schema. Members that it does not name may be anything. */
export interface Schema {
  readonly type?: 'array' | 'boolean' | 'object' | 'string';
  /** Names an item of a list or map in findings: "skill" of "skill 3". */
  readonly title?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly format?: 'address' | 'text' | 'url';
  readonly allOf?: readonly { readonly if: Schema; readonly then: Schema }[];
}

export const STRING: Schema = { type: 'string' };
/** A string that is not blank. */
export const TEXT: Schema = { type: 'string', format: 'text' };
/** An http(s) URL, or a template of one. */
export const ADDRESS: Schema = { type: 'string', format: 'address' };
/** An http(s) URL without fragment. */
export const URL_TEXT: Schema = { type: 'string', format: 'url' };
export const BOOLEAN: Schema = { type: 'boolean' };
export const OBJECT: Schema = { type: 'object' };
export const STRINGS: Schema = { type: 'array', items: STRING };

/** @param required names of required members, separated by spaces */
export function objectOf(required: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required: required.split(' ').filter(Boolean), properties };
}

export function listOf(title: string, items: Schema): Schema {
  return { type: 'array', items: { ...items, title } };
}

/** The keys of a map are the site's, so a value is named by its position. */
export function mapOf(title: string, values: Schema): Schema {
  return { type: 'object', additionalProperties: { ...values, title } };
}

const ajv = new Ajv({
  allErrors: true,
  ownProperties: true,
  strict: false,
  formats: {
    text: /\S/,
    address: (text: string) => httpUrlOf(text) !== null || isTemplated(text),
    url: (text: string) => httpUrlOf(text)?.hash === '',
  },
});

/** Checks documents against a schema of ours. */
export class ManifestSchema {
  readonly #schema: Schema;
  readonly #names: Vocabulary;
  /** Compiled on first use, which few scans need. */
  #validate: ValidateFunction | null = null;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#names = generatedVocabulary(namesIn(schema));
  }

  /** Records each member that is missing, or is not what it should be. A member that is null is absent, as ProtoJSON says. */
  check(object: JsonObject, problems: Problems, root: Part = problems.root): void {
    this.#validate ??= ajv.compile(this.#schema);
    if (this.#validate(withoutNulls(object))) return;
    for (const error of this.#validate.errors ?? []) {
      const fault = error.keyword === 'if' || problems.isFull ? null : this.#locate(error, object, root);
      if (fault) problems.add(fault.text, fault);
    }
  }

  /** Says what is wrong in words of the schema: those of the site stay out of findings. */
  #locate({ instancePath, keyword, params }: ErrorObject, document: JsonObject, root: Part): Fault | null {
    const steps = instancePath.split('/').slice(1).map(nameOf);
    if (keyword === 'required') steps.push((params as { readonly missingProperty: string }).missingProperty);
    let schema = this.#schema;
    let value: JsonValue | undefined = document;
    let part = root;
    let fault: Fault | null = null;
    for (const step of steps) {
      const itemSchema = schema.items ?? (schema.properties ? undefined : schema.additionalProperties);
      const title = listed(itemSchema?.title ?? '', this.#names);
      // Items without a title are not named: the fault is the list's.
      if (itemSchema && title === null) break;
      if (itemSchema && title) {
        const item = partOf(part, safeText`${title} ${positionOf(step, value)}`, step);
        fault = { text: safeText`${item.name} has the wrong type`, pointer: item.pointer };
        part = item;
      } else {
        const field = listed(step, this.#names) ?? safeText`?`;
        const inner = partOf(part, safeText`"${field}"`, step);
        fault = faultOf(memberOf(value, step), field, part);
        const isCollection = schema.properties?.[step]?.items ?? schema.properties?.[step]?.additionalProperties;
        // The items of a list are named after what the list belongs to.
        part = isCollection ? { name: part.name, pointer: inner.pointer } : inner;
      }
      schema = itemSchema ?? memberSchema(schema, step);
      value = memberOf(value, step);
    }
    return fault;
  }
}

function memberSchema({ properties, allOf = [] }: Schema, name: string): Schema {
  return (
    [{ properties }, ...allOf.map((rule) => rule.then)].find((one) => one.properties?.[name])?.properties?.[name] ?? {}
  );
}

function memberOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (isArray(value)) return value[Number(step)];
  return isObject(value) ? value.get(step) : undefined;
}

/** From 1. */
function positionOf(step: string, value: JsonValue | undefined): number {
  return (isObject(value) ? [...value.keys()].indexOf(step) : Number(step)) + 1;
}

function nameOf(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Every name in a schema. */
function namesIn({ title, required = [], properties = {}, additionalProperties, items, allOf = [] }: Schema): string[] {
  const parts = [...Object.values(properties), additionalProperties, items, ...allOf.map((rule) => rule.then)];
  return [
    ...(title === undefined ? [] : [title]),
    ...required,
    ...Object.keys(properties),
    ...parts.flatMap((part) => (part === undefined ? [] : namesIn(part))),
  ];
}

/** Converts the document for the validator. */
function withoutNulls(value: JsonValue): unknown {
  if (isArray(value)) return value.slice(0, MANIFEST_LIMITS.itemsMax).map(withoutNulls);
  if (!isObject(value)) return value;
  const members = [...value]
    .filter(([, member]) => member !== null)
    .map(([name, member]) => [name, withoutNulls(member)]);
  return Object.fromEntries(members) as unknown;
}
