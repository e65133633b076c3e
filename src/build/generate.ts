/**
 * `make generate`: writes all generated files into `generated/` of this build, from where src/build/build.ts copies them into the
 * project, and updates the tables of the documents. The same source always gives the same bytes.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { compileSpec } from './compile-spec.js';
import { finishDocument } from './finish-document.js';

const folder = fileURLToPath(new URL('../../generated', import.meta.url));
await mkdir(folder, { recursive: true });

// The checks read the vocabulary when they are loaded, so it must exist first.
const vocabulary = await readFile('spec/schema-org.json', 'utf8');
await writeGenerated('schema-org.json', `${JSON.stringify(JSON.parse(vocabulary))}\n`);
const { CHECKS } = await import('../scanner/checks/index.js');

const compiled = await compileSpec();
const document = finishDocument(compiled['3.1.0'], CHECKS);
await writeGenerated('openapi.json', document);
// For generators and gateways that do not support 3.1.
await writeGenerated('openapi-3.0.json', finishDocument(compiled['3.0.0'], CHECKS));
await writeGenerated('contract.d.ts', await buildContractTypes(document));
// The service shows this and the next file on pages.
await writeGenerated('accuracy.md', await readFile('docs/accuracy.md', 'utf8'));
await writeGenerated('examples.json', collectExamples(CHECKS.map(({ id }) => id)));
const { findStalePages } = await import('./documents.js');
for (const { page, text } of findStalePages()) await writeFile(page, text);

function collectExamples(checkIds: readonly string[]): string {
  const examples = checkIds.map((id) => [id, JSON.parse(readFileSync(`test/examples/${id}.json`, 'utf8')) as unknown]);
  return `${JSON.stringify(Object.fromEntries(examples))}\n`;
}

async function writeGenerated(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
}

/** Returns the TypeScript types of the document, without the webhooks, which the service does not answer. */
async function buildContractTypes(document: string): Promise<string> {
  const answered = JSON.parse(document) as OpenAPI3;
  delete answered.webhooks;
  const nodes = await openapiTS(answered, { alphabetize: false, silent: true });
  return `// Generated from openapi.json by "make generate". Do not edit.\n${astToString(nodes)}`;
}
