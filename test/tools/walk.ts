/**
 * `make walk OP=getRun`: the files, functions and statements of src that one request goes through, over a new SQLite. Another name lists
 * all of them.
 */
import { runInScope } from '../support/script.js';
import { walkNamed } from './walk-request.js';

const name = process.argv[2] ?? '';
const { request, files, statements } = await runInScope((scope) => walkNamed(scope, name));
const functionCount = [...files.values()].flat().length;
console.log(`${request}\n\n${files.size} files, ${functionCount} functions:`);
for (const [file, functions] of files) console.log(`  ${file}: ${functions.join(', ')}`);
console.log(`\n${statements.length} statements:`);
for (const sql of statements) console.log(`  ${sql}`);
