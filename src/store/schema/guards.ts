import type { Dialect } from '../query.js';

/** A trigger that refuses a statement, whichever client sends it. */
export interface Guard {
  readonly name: string;
  readonly table: string;
  readonly event: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';
  /** Condition under which the statement is refused; null refuses it always. */
  readonly refuseWhen: string | null;
  readonly message: string;
}

/**
 * The guards of the schema. Finished runs never change and go only with their site, run numbers and references have no gap, and
 * activity is stored for a year.
 */
export function guardsFor(dialect: Dialect): readonly Guard[] {
  return [...runGuards(dialect), ...siteGuards(dialect), ...accountGuards(dialect), ...auditGuards(dialect)];
}

function guard(table: string, name: string, event: Guard['event'], refuseWhen: string | null): Guard {
  return { name: `${table}_${name}`, table, event, refuseWhen, message: 'finished runs and counters never change' };
}

/** Condition that the new row differs from the old one in any of the columns. */
function changes(...columns: readonly string[]): string {
  return columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ');
}

/** SQLite's hidden key: changing it can replace another row. */
function changesRowid(dialect: Dialect): readonly string[] {
  return dialect === 'sqlite' ? [changes('rowid')] : [];
}

/**
 * Guards against statements that delete rows without firing DELETE triggers: SQLite's REPLACE, by any key including the hidden
 * rowid, and PostgreSQL's TRUNCATE, also where it cascades from another table.
 */
function bypassGuard(dialect: Dialect, table: string, hasSameKey: string): Guard {
  return dialect === 'sqlite'
    ? guard(table, 'no_replace', 'INSERT', `EXISTS (SELECT 1 FROM ${table} WHERE ${hasSameKey} OR rowid = NEW.rowid)`)
    : guard(table, 'no_truncate', 'TRUNCATE', null);
}

function runGuards(dialect: Dialect): Guard[] {
  const isSiteKept = 'NOT EXISTS (SELECT 1 FROM sites WHERE id = OLD.site_id AND is_deleting = 1)';
  const isNotNext = 'NEW.number IS DISTINCT FROM (SELECT run_counter FROM sites WHERE id = NEW.site_id)';
  return [
    guard('runs', 'no_update', 'UPDATE', null),
    guard('runs', 'no_delete', 'DELETE', isSiteKept),
    guard('runs', 'only_next', 'INSERT', isNotNext),
    bypassGuard(dialect, 'runs', '(site_id = NEW.site_id AND number = NEW.number)'),
  ];
}

/** Condition that the counter moves by more than one, or before the run of its present number is stored. */
const SKIPS_NUMBER =
  '(NEW.run_counter IS DISTINCT FROM OLD.run_counter AND (NEW.run_counter IS DISTINCT FROM OLD.run_counter + 1 ' +
  'OR (OLD.run_counter > 0 AND NOT EXISTS (SELECT 1 FROM runs WHERE site_id = OLD.id AND number = OLD.run_counter))))';

function siteGuards(dialect: Dialect): Guard[] {
  const isRefused = [
    ...changesRowid(dialect),
    changes('id', 'account_id', 'origin', 'hostname', 'created_at'),
    'NEW.is_deleting NOT IN (0, 1) OR NEW.is_deleting < OLD.is_deleting',
    SKIPS_NUMBER,
  ];
  const hasRuns = 'EXISTS (SELECT 1 FROM runs WHERE site_id = OLD.id)';
  const hasSameKey = 'id = NEW.id OR (account_id = NEW.account_id AND origin = NEW.origin)';
  return [
    guard('sites', 'from_zero', 'INSERT', 'NEW.run_counter <> 0'),
    guard('sites', 'no_way_back', 'UPDATE', isRefused.join(' OR ')),
    guard('sites', 'no_delete', 'DELETE', `OLD.is_deleting <> 1 OR ${hasRuns}`),
    ...(dialect === 'sqlite' ? [bypassGuard(dialect, 'sites', hasSameKey)] : []),
  ];
}

/** Condition that the counter moves by more than one; 1 follows 999999. */
const SKIPS_REFERENCE =
  '(NEW.reference_counter IS DISTINCT FROM OLD.reference_counter ' +
  'AND NEW.reference_counter IS DISTINCT FROM OLD.reference_counter % 999999 + 1)';

function accountGuards(dialect: Dialect): Guard[] {
  const isRefused = [
    ...changesRowid(dialect),
    changes('id', 'created_at'),
    `(OLD.removed_at IS NOT NULL AND ${changes('removed_at')})`,
    SKIPS_REFERENCE,
  ];
  return [
    guard('accounts', 'no_way_back', 'UPDATE', isRefused.join(' OR ')),
    guard('accounts', 'no_delete', 'DELETE', 'OLD.removed_at IS NULL'),
    ...(dialect === 'sqlite' ? [bypassGuard(dialect, 'accounts', 'id = NEW.id OR email = NEW.email')] : []),
  ];
}

/** Activity is insert-only. It is deleted with its account, or after a year. */
function auditGuards(dialect: Dialect): Guard[] {
  // When a deletion cascades, the account no longer exists.
  const isAccountKept = 'EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND removed_at IS NULL)';
  return [
    guard('audit_events', 'no_update', 'UPDATE', null),
    guard('audit_events', 'no_delete', 'DELETE', `${isAccountKept} AND OLD.at >= ${eventsStoredSince(dialect)}`),
    bypassGuard(dialect, 'audit_events', 'id = NEW.id'),
  ].map((one) => ({ ...one, message: 'recorded events never change' }));
}

const ACTIVITY_S = 365 * 86_400;

/**
 * SQL for the time before which activity may be deleted, an ISO text in UTC. It is read from the database's own clock, since a guard must
 * not trust a value of a row or a parameter.
 */
export function eventsStoredSince(dialect: Dialect): string {
  return dialect === 'sqlite'
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${ACTIVITY_S} seconds')`
    : `to_char(now() AT TIME ZONE 'UTC' - interval '${ACTIVITY_S} seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
