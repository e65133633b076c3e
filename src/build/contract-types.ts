import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEAD = '// Generated from openapi.json by "make generate". Do not edit.\n';

/** The TypeScript types of the document: schemas, and operations with their parameters, headers and statuses. */
export async function buildContractTypes(document: string): Promise<string> {
  const nodes = await openapiTS(JSON.parse(document) as OpenAPI3, { alphabetize: false, silent: true });
  return `${HEAD}${astToString(nodes)}`;
}
