/**
 * What `make generate` runs: writes all generated files into `generated/` of its own build, from where src/build/build.ts copies
 * them into the project, and the tables of the documents. The same source always gives the same bytes.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileSpec } from './compile-spec.js';
import { buildContractTypes } from './contract-types.js';
import { finishDocument } from './finish-document.js';
import { buildRegistry } from './registry.js';
import { buildSchemaOrg } from './schema-org.js';

const folder = fileURLToPath(new URL('../../generated', import.meta.url));
await mkdir(folder, { recursive: true });

// The checks read the reduced vocabulary when they are loaded, so it must exist first.
await writeGenerated('schema-org.json', buildSchemaOrg());
const { CHECKS } = await import('../scanner/checks/index.js');

const registry = buildRegistry(CHECKS);
await writeGenerated('registry.tsp', registry);
const compiled = await compileSpec(registry);
const document = finishDocument(compiled['3.1.0']);
await writeGenerated('openapi.json', document);
// For generators and gateways that read nothing newer.
await writeGenerated('openapi-3.0.json', finishDocument(compiled['3.0.0']));
await writeGenerated('contract.d.ts', await buildContractTypes(document));
// The service shows it as a page.
await writeGenerated('accuracy.md', await readFile('docs/accuracy.md', 'utf8'));
const { findStalePages } = await import('./documents.js');
for (const { page, text } of findStalePages()) await writeFile(page, text);

async function writeGenerated(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
}
