import type { Clock } from '../../platform/clock.js';
import { countOf } from '../../platform/counts.js';
import { InputError } from '../../platform/input-error.js';
import { pathOf } from '../../scanner/artifacts/chosen-pages.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { type Database, runApart } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { recordEvent } from '../audit/audit.js';
import { selectChosenPages, upsertChosenPages } from './chosen-pages-statements.js';
import { holdOwnSite, type OwnSite } from './own-site.js';
import { parsePageOf } from './site-input.js';

/** The pages of a site that its owner wants to be in the sample of each run. */
export class ChosenPages {
  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  /** Their paths, in the owner's order. */
  async of({ id }: OwnSite): Promise<readonly string[]> {
    return (await runApart(this.deps.db, chosenPathsOf(id))) ?? [];
  }

  /**
   * Takes the place of what was chosen before. Records an event only where that differs.
   * @returns how many are chosen now
   * @param lines a path or an address a line; what is empty or repeated is left out
   * @throws InputError that names the line; ServiceError site_not_found for a site that was removed
   */
  async choose(site: OwnSite, lines: string): Promise<number> {
    const paths = parsePaths(lines, new URL(site.origin));
    const { db, clock } = this.deps;
    await db.transaction(() => choose(site, paths, clock.now()));
    return paths.length;
  }
}

/** Null for a site whose owner has never chosen any: an empty choice is one, too. */
function* chosenPathsOf(site_id: string): Transaction<readonly string[] | null> {
  return pagesIn((yield* one(selectChosenPages({ site_id })))?.paths ?? null);
}

/** As they are stored. */
export function pagesIn(paths: string | null): readonly string[] | null {
  return paths === null ? null : (JSON.parse(paths) as readonly string[]);
}

function* choose({ id, accountId }: OwnSite, paths: readonly string[], now: Date): Transaction<void> {
  const { hostname } = yield* holdOwnSite({ siteId: id, accountId });
  const chosen = JSON.stringify(paths);
  if (chosen === JSON.stringify((yield* chosenPathsOf(id)) ?? [])) return;
  const count = paths.length === 0 ? 'none' : countOf(paths.length, 'page');
  yield* recordEvent({ accountId, event: 'pages_chosen', subject: `${count}, of ${hostname}`, now });
  yield* execute(upsertChosenPages({ site_id: id, paths: chosen }));
}

/** @throws InputError that names the line */
function parsePaths(lines: string, origin: URL): readonly string[] {
  const paths = new Set<string>();
  for (const [index, line] of lines.split(/\r\n|\r|\n/).entries()) {
    const text = line.trim();
    if (text !== '') paths.add(pathOf(parsePageOf(origin, text, `Line ${index + 1}`)));
  }
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (paths.size > max) throw new InputError(`These are ${paths.size} pages. Choose ${max} at most.`);
  return [...paths];
}

/** What the export of an account says of a site's choice. */
export async function chosenPagesToExport(db: Database, siteId: string): Promise<Readonly<Record<string, unknown>>> {
  return { chosenPages: (await runApart(db, chosenPathsOf(siteId))) ?? [] };
}
