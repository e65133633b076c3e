/**
 * Connections to SQLite that this process opens wait for no disk: each commit would take milliseconds of it, thousands of times a run.
 * Nobody pulls the plug on a test, and what a process that was killed has committed is there all the same.
 */
import Sqlite from 'better-sqlite3';

const { prototype } = Sqlite as unknown as { prototype: Sqlite.Database };
const { pragma } = prototype;

prototype.pragma = function (this: Sqlite.Database, source, options) {
  return pragma.call(this, source.startsWith('synchronous = ') ? 'synchronous = OFF' : source, options);
};
