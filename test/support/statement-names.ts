import type { Database } from '../../src/store/database.js';
import type { Query } from '../../src/store/query.js';
import { watchStatements } from './changed-database.js';

/** Such as `select badges`: the verb and the first table of a statement. */
function nameOf({ statement }: Query<unknown>): string {
  const sql = statement.sqlFor('sqlite');
  const [verb = ''] = sql.split(' ');
  return `${verb.toLowerCase()} ${/\b(?:from|into|update)\W+(\w+)/i.exec(sql)?.[1] ?? sql}`;
}

/** A database that notes the names of the statements that it is asked for. @param before what happens before one that is alone */
export function recordStatements(
  db: Database,
  before?: (name: string) => Promise<void>,
): { readonly db: Database; readonly asked: string[] } {
  const asked: string[] = [];
  const recorded = watchStatements(db, (query, tx) => {
    const name = nameOf(query);
    asked.push(name);
    return tx === null ? before?.(name) : undefined;
  });
  return { db: recorded, asked };
}
