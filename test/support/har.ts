import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { readFixture } from './project.js';

/** Of draft 06, whose keywords are those of later drafts. */
const schemas = JSON.parse(readFixture('schemas-har/schemas.json')) as { readonly $schema?: string }[];
const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(schemas.map(({ $schema, ...schema }) => schema));

/** How a HAR file differs from the published schema. */
export function harFaults(text: string): string[] {
  const isValid = ajv.validate('har.json#', JSON.parse(text));
  return isValid ? [] : (ajv.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
