import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEAD = '// Generated from openapi.json by "make generate". Do not edit.\n';

/**
 * The TypeScript types of the document: schemas, and operations with their parameters, headers and statuses. Without the webhooks, which
 * would be operations too, and are none that the service answers.
 */
export async function buildContractTypes(document: string): Promise<string> {
  const answered = JSON.parse(document) as OpenAPI3;
  delete answered.webhooks;
  const nodes = await openapiTS(answered, { alphabetize: false, silent: true });
  return `${HEAD}${astToString(nodes)}`;
}
