import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { createSchema } from './0001-schema.js';
import { addIdempotency } from './0002-idempotency.js';
import { extendAccounts } from './0003-accounts.js';
import { makeRunsProvable, provableGuards } from './0004-provable-runs.js';
import { createScanning } from './0005-scanning.js';
import { addRunNotes } from './0006-run-notes.js';
import { addRunGains } from './0007-run-gains.js';
import { addRunEvidence } from './0009-run-evidence.js';
import { addRechecks } from './0008-rechecks.js';
import { addUnreadProofs } from './0010-unread-proofs.js';
import { addSupplements, supplementGuards } from './0011-supplements.js';
import { addEvidenceSize } from './0012-evidence-size.js';
import { addDatabaseMark } from './0013-database-mark.js';
import { addAuditLog, auditGuards } from './0014-audit-log.js';
import { addAccess } from './0015-access.js';
import { addAbsentProofs } from './0016-absent-proofs.js';
import { addSharedReports } from './0017-shared-reports.js';
import { addRunsByDay } from './0018-runs-by-day.js';
import { addExcludedHosts } from './0019-excluded-hosts.js';
import { addRunLabels } from './0020-run-labels.js';
import { addPeople } from './0021-people.js';
import { addPlaces } from './0022-places.js';
import { addManySites } from './0023-many-sites.js';
import { addChosenPages } from './0024-chosen-pages.js';
import type { ExpectedGuards } from './guard-definition.js';
import { definedGuards } from './guards.js';
import type { TableLocks } from './table-locks.js';

/** One step of the schema. Steps cannot be undone: a later step fixes a mistake. */
export interface Migration {
  readonly name: string;
  up(sql: Knex, dialect: Dialect): Promise<void>;
  /** On PostgreSQL: what the step locks of the tables in use, so that it is locked before the first step. */
  readonly locks?: TableLocks;
  /** The guards that this step adds or writes again. */
  guards?(dialect: Dialect): ExpectedGuards;
}

/** Every migration in order. A released one never changes; append new ones. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-schema', up: createSchema, guards: definedGuards },
  {
    name: '0002-idempotency',
    up: addIdempotency,
    locks: { accounts: 'SHARE ROW EXCLUSIVE', sites: 'SHARE ROW EXCLUSIVE' },
  },
  {
    name: '0003-accounts',
    up: extendAccounts,
    locks: { accounts: 'SHARE ROW EXCLUSIVE', sites: 'ACCESS EXCLUSIVE' },
  },
  {
    name: '0004-provable-runs',
    up: makeRunsProvable,
    locks: { accounts: 'SHARE ROW EXCLUSIVE', sites: 'SHARE ROW EXCLUSIVE', runs: 'SHARE ROW EXCLUSIVE' },
    guards: provableGuards,
  },
  { name: '0005-scanning', up: createScanning },
  { name: '0006-run-notes', up: addRunNotes, locks: { runs: 'SHARE ROW EXCLUSIVE' } },
  { name: '0007-run-gains', up: addRunGains, locks: { runs: 'SHARE ROW EXCLUSIVE' } },
  {
    name: '0008-rechecks',
    up: addRechecks,
    locks: { sites: 'SHARE ROW EXCLUSIVE', free_scans: 'ACCESS EXCLUSIVE' },
  },
  { name: '0009-run-evidence', up: addRunEvidence, locks: { runs: 'SHARE ROW EXCLUSIVE' } },
  { name: '0010-unread-proofs', up: addUnreadProofs, locks: { sites: 'SHARE ROW EXCLUSIVE' } },
  {
    name: '0011-supplements',
    up: addSupplements,
    locks: { runs: 'ACCESS EXCLUSIVE' },
    guards: supplementGuards,
  },
  { name: '0012-evidence-size', up: addEvidenceSize, locks: { run_evidence: 'ACCESS EXCLUSIVE' } },
  { name: '0013-database-mark', up: addDatabaseMark },
  {
    name: '0014-audit-log',
    up: addAuditLog,
    locks: { accounts: 'SHARE ROW EXCLUSIVE', audit_events: 'SHARE ROW EXCLUSIVE' },
    guards: auditGuards,
  },
  {
    name: '0015-access',
    up: addAccess,
    locks: { sessions: 'ACCESS EXCLUSIVE', api_keys: 'ACCESS EXCLUSIVE' },
  },
  { name: '0016-absent-proofs', up: addAbsentProofs, locks: { unread_proofs: 'ACCESS EXCLUSIVE' } },
  { name: '0017-shared-reports', up: addSharedReports, locks: { sites: 'SHARE ROW EXCLUSIVE' } },
  { name: '0018-runs-by-day', up: addRunsByDay, locks: { runs: 'SHARE ROW EXCLUSIVE' } },
  { name: '0019-excluded-hosts', up: addExcludedHosts },
  {
    name: '0020-run-labels',
    up: addRunLabels,
    locks: { sites: 'SHARE ROW EXCLUSIVE', runs: 'SHARE ROW EXCLUSIVE' },
  },
  {
    ...{ name: '0021-people', up: addPeople },
    locks: { accounts: 'SHARE ROW EXCLUSIVE', sessions: 'ACCESS EXCLUSIVE', sign_in_links: 'ACCESS EXCLUSIVE' },
  },
  {
    name: '0022-places',
    up: addPlaces,
    locks: { accounts: 'SHARE ROW EXCLUSIVE', sites: 'SHARE ROW EXCLUSIVE', webhooks: 'ACCESS EXCLUSIVE' },
  },
  {
    name: '0023-many-sites',
    up: addManySites,
    locks: { accounts: 'SHARE ROW EXCLUSIVE', sites: 'ACCESS EXCLUSIVE' },
  },
  {
    name: '0024-chosen-pages',
    up: addChosenPages,
    locks: { sites: 'SHARE ROW EXCLUSIVE', runs: 'SHARE ROW EXCLUSIVE' },
  },
];

/** The first migration of versions before 0.2.0, which were never released. */
const UNRELEASED = '0001-initial';

/** Instructions for a database of such a version; null for any other. */
export function describeUnreleased(completed: readonly string[]): string | null {
  if (!completed.includes(UNRELEASED)) return null;
  return 'This database was made before version 0.2.0 and cannot be upgraded: set DATABASE_URL to a new one.';
}

/**
 * The expected guards after these migrations. If one of them is unknown to this version of the program, it may have changed the
 * guards, so only their existence is required.
 */
export function expectedGuards(
  run: readonly string[],
  dialect: Dialect,
  migrations: readonly Migration[] = MIGRATIONS,
): ExpectedGuards {
  const known = migrations.filter(({ name }) => run.includes(name));
  const guards = known.flatMap((migration) => [...(migration.guards?.(dialect) ?? [])]);
  return new Map(known.length === run.length ? guards : guards.map(([guard]) => [guard, null]));
}
