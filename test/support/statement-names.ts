import { readdirSync } from 'node:fs';
import type { Database } from '../../src/store/database.js';
import type { Query, Statement } from '../../src/store/query.js';

type Make = (params: object) => Query<unknown>;

/** The statements of the features and of the queue, by the names under which they are exported. */
async function statementNames(): Promise<ReadonlyMap<Statement<unknown>, string>> {
  const src = new URL('../../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('-statements.js'),
  );
  const modules = await Promise.all(files.map((file) => import(new URL(file, src).href) as Promise<object>));
  const names = new Map<Statement<unknown>, string>();
  for (const [name, make] of modules.flatMap((one) => Object.entries(one) as [string, unknown][])) {
    const query = typeof make === 'function' && make.length === 1 ? queryOf(make as Make) : undefined;
    if (query) names.set(query.statement, name);
  }
  return names;
}

function queryOf(make: Make): Query<unknown> | undefined {
  try {
    const made = make({}) as Partial<Query<unknown>> | undefined;
    return made?.statement && made.params ? (made as Query<unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** A database that notes the names of the statements that it is asked for. @param before what happens before one that is alone */
export async function recordStatements(
  db: Database,
  before?: (name: string) => Promise<void>,
): Promise<{ readonly db: Database; readonly asked: string[] }> {
  const names = await statementNames();
  const asked: string[] = [];
  const note = ({ statement }: Query<unknown>): string => {
    const name = names.get(statement) ?? statement.sqlFor('sqlite').slice(0, 60);
    asked.push(name);
    return name;
  };
  const recorded: Database = {
    ...{ dialect: db.dialect, url: db.url, close: () => db.close() },
    run: async (query) => {
      const name = note(query);
      await before?.(name);
      return db.run(query);
    },
    transaction: (work) =>
      db.transaction(function* () {
        const steps = work();
        let step = steps.next([]);
        while (!step.done) {
          if (typeof step.value !== 'function') note(step.value);
          step = steps.next(yield step.value);
        }
        return step.value;
      }),
  };
  return { db: recorded, asked };
}
