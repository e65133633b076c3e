/**
 * `make walk OP=getRun`: the files, functions and statements of src that one request goes through, of an operation of the API over a
 * new SQLite.
 */
import { runInScope } from './script.js';
import { operationCalled, walkRequest } from './walk-request.js';

const operation = operationCalled(process.argv[2] ?? '');
const { request, files, statements } = await runInScope((scope) => walkRequest(scope, operation));
const functionCount = [...files.values()].flat().length;
console.log(`${request}\n\n${files.size} files, ${functionCount} functions:`);
for (const [file, functions] of files) console.log(`  ${file}: ${functions.join(', ')}`);
console.log(`\n${statements.length} statements:`);
for (const sql of statements) console.log(`  ${sql}`);
