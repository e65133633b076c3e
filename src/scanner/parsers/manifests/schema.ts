import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { distinctBy } from '../../../net/keyed.js';
import { generatedVocabulary, findTerm, type SafeText, safeText, type Vocabulary } from '../../artifacts/safe-text.js';
import { MANIFEST_LIMITS } from '../../limits.js';
import { parseHttpUrl, isTemplated } from '../addresses.js';
import { isArray, isObject, type JsonValue } from '../json.js';
import type { JsonNode } from './document.js';

/** The form of a manifest, as JSON Schema. Members that it does not name may have any value. */
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

/** The site chooses the keys of a map, so findings name a value by its position. */
export function mapOf(title: string, values: Schema): Schema {
  return { type: 'object', additionalProperties: { ...values, title } };
}

const ajv = new Ajv({
  // Our own schemas need no validation: compiling the meta-schema would cost a tenth of a scan's CPU.
  meta: false,
  validateSchema: false,
  messages: false,
  allErrors: true,
  ownProperties: true,
  strict: false,
  formats: {
    text: /\S/,
    address: (text: string) => parseHttpUrl(text) !== null || isTemplated(text),
    url: (text: string) => parseHttpUrl(text)?.hash === '',
  },
});

/** Returns a function that describes the faults of a node in the schema's words, never the site's. */
export function validatorOf(schema: Schema): (part: JsonNode) => readonly SafeText[] {
  const names = generatedVocabulary(namesIn(schema));
  // Compiled on first use, since few scans need it.
  let validate: ValidateFunction | null = null;
  return (part) => {
    validate ??= ajv.compile(schema);
    if (validate(withoutNulls(part.value))) return [];
    const errors = (validate.errors ?? []).slice(0, ERRORS_MAX);
    const faults = errors.flatMap((error) => describeError(error, schema, part, names) ?? []);
    return distinctBy(faults, ({ text }) => text).slice(0, MANIFEST_LIMITS.problemsMax);
  };
}

/** Most validator errors that are read: one fault may cause several. */
const ERRORS_MAX = 200;

function describeError(
  { instancePath, keyword, params }: ErrorObject,
  schema: Schema,
  root: JsonNode,
  names: Vocabulary,
): SafeText | null {
  const steps = instancePath.split('/').slice(1);
  if (keyword === 'required') steps.push((params as { readonly missingProperty: string }).missingProperty);
  let inner: Schema = schema;
  let part = root;
  let fault: SafeText | null = null;
  for (const step of steps.map((escaped) => escaped.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    const itemSchema = inner.items ?? inner.additionalProperties;
    if (itemSchema) {
      const title = findTerm(itemSchema.title ?? '', names);
      // Items without a title are not named: the fault is the list's.
      if (title === null) break;
      part = part.at(step, safeText`${title} ${positionOf(step, part.value)}`);
      fault = part.fault(safeText`has the wrong type`);
      inner = itemSchema;
    } else {
      const field = findTerm(step, names) ?? safeText`?`;
      fault = part.memberFault(field);
      inner = inner.properties?.[step] ?? {};
      // A list adds no name: its items are named relative to the object that contains the list.
      part = part.at(step, inner.items || inner.additionalProperties ? null : safeText`"${field}"`);
    }
  }
  return fault;
}

/** Returns the position of an item in a list or map, from 1. */
function positionOf(step: string, value: JsonValue | undefined): number {
  return (isObject(value) ? [...value.keys()].indexOf(step) : Number(step)) + 1;
}

function namesIn({ title, properties = {}, additionalProperties, items }: Schema): string[] {
  const inner = [...Object.values(properties), additionalProperties, items].filter((part) => part !== undefined);
  return [...(title === undefined ? [] : [title]), ...Object.keys(properties), ...inner.flatMap(namesIn)];
}

/** Converts a value for the validator. Null members count as absent, as in ProtoJSON. */
function withoutNulls(value: JsonValue | undefined): unknown {
  if (isArray(value)) return value.slice(0, MANIFEST_LIMITS.itemsMax).map(withoutNulls);
  if (!isObject(value)) return value;
  const members = [...value].filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
