/**
 * `make walk OP=getRun`: the files, functions and statements of src that one request goes through, of an operation of the API or
 * `sign-in`, over a new SQLite.
 */
import { runInScope } from './script.js';
import { operationCalled, walkRequest, walkSignIn } from './walk-request.js';

const name = process.argv[2] ?? '';
const { request, files, statements } = await runInScope((scope) =>
  name === 'sign-in' ? walkSignIn(scope) : walkRequest(scope, operationCalled(name)),
);
const functionCount = [...files.values()].flat().length;
console.log(`${request}\n\n${files.size} files, ${functionCount} functions:`);
for (const [file, functions] of files) console.log(`  ${file}: ${functions.join(', ')}`);
console.log(`\n${statements.length} statements:`);
for (const sql of statements) console.log(`  ${sql}`);
