import type { Knex } from 'knex';
import { databaseTime } from '../database-clock.js';
import type { Dialect } from '../query.js';
import { IS_NOT_OWNER, refuseAlways } from './0004-provable-runs.js';
import type { ExpectedGuards } from './guard-definition.js';
import { createTriggers, definitionsOf, type Guard, quotedSchema } from './guards.js';

/**
 * What was done to an account is inserted and never changed. Repetitions are counted beside it, and inserted once their hour is over. Each
 * event gets a link in the chain of its account; an event goes with its account, or when its link is a year old by the database's own clock.
 *
 * Versions before this schema go on writing to `audit_events`, whose rows are shown, exported and cleared away beside the new ones. The
 * guards leave them what they do there: insert, count a wrong password, delete what is a year old.
 */
export async function addAuditLog(sql: Knex, dialect: Dialect): Promise<void> {
  await createTables(sql);
  await createTriggers(sql, dialect, guardsOf(dialect));
  if (dialect === 'postgres') await createErasure(sql);
}

async function createTables(sql: Knex): Promise<void> {
  await sql.schema.createTable('audit_log', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // By the clock of the service. The last time, where repetitions were counted.
    table.text('at').notNullable();
    table.text('event').notNullable();
    // What it was done to, in words for people, such as a host name.
    table.text('subject');
    table.text('actor').notNullable();
    // The client's; null for what no client asked for.
    table.text('address');
    table.integer('count').notNullable().defaultTo(1);
    table.index(['account_id', 'at', 'id']);
  });
  // Repetitions of the hour, until they are inserted as one event with the same id.
  await sql.schema.createTable('audit_tallies', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('event').notNullable();
    // Such as 2026-11-22T14.
    table.text('hour').notNullable().index();
    // The last time, and the client's address at it.
    table.text('at').notNullable();
    table.text('address');
    table.integer('count').notNullable().defaultTo(1);
    table.unique(['account_id', 'event', 'hour']);
  });
  // Events that have no link yet: filled and emptied by triggers.
  await sql.schema.createTable('audit_unlinked', (table) => {
    table.text('event_id').primary().references('audit_log.id').onDelete('CASCADE');
    table.text('account_id').notNullable().index();
  });
  await sql.schema.createTable('audit_chain', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // Without a gap, from 1. After events were cleared away, the first link is that of the last of them.
    table.integer('number').notNullable();
    // The number of the epoch in which the link was made.
    table.integer('epoch').notNullable();
    // Stays when the event goes.
    table.text('event_id').notNullable().unique();
    // When the link was made, by the clock of the database.
    table.text('linked_at').notNullable().index();
    // SHA-256 in hexadecimal digits of the event.
    table.text('content').notNullable();
    // The digest of the link before; null: there was none. Kept, so that the first link that is left can still be proven.
    table.text('before');
    // SHA-256 in hexadecimal digits over all of this: see docs/run-chain.md.
    table.text('digest').notNullable();
    table.primary(['account_id', 'number']);
  });
}

/** The only way in which a role that does not own the tables deletes events. The guards refuse any whose time has not come. */
async function createErasure(sql: Knex): Promise<void> {
  await sql.raw(`CREATE FUNCTION erase_events(text[]) RETURNS SETOF text LANGUAGE sql SECURITY DEFINER
    SET search_path = ${await quotedSchema(sql)}, pg_temp
    AS $$ DELETE FROM audit_log WHERE id = ANY ($1) RETURNING id $$`);
}

const YEAR_S = 365 * 86_400;

/** SQL for the time before which the link of an event was made that may go. */
export function eventsKeptSince(dialect: Dialect): string {
  return databaseTime(dialect, YEAR_S);
}

/** Versions before this schema go by a clock of their own. */
const CLOCKS_DIFFER_S = 86_400;

const ADDED = ['audit_log', 'audit_unlinked', 'audit_chain'];
const PROTECTED = [...ADDED, 'audit_events'];

/** No longer so once the account itself is gone, with which its rows go. */
const IS_OF_LIVE_ACCOUNT = 'EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id AND removed_at IS NULL)';

/** How late a link may come after its time was asked for. */
const LINK_TAKES_S = 60;

function isNoNextLink(dialect: Dialect): string {
  const last = '(SELECT max(linked_at) FROM audit_chain WHERE account_id = NEW.account_id)';
  return [
    'NEW.number IS DISTINCT FROM (SELECT COALESCE(max(number), 0) + 1 FROM audit_chain WHERE account_id = NEW.account_id)',
    'NOT EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.event_id AND account_id = NEW.account_id)',
    'NEW.epoch IS DISTINCT FROM (SELECT max(number) FROM epochs)',
    // Neither dated back, nor ahead: but a clock that was put back must not stop the chain.
    `NEW.linked_at < ${databaseTime(dialect, LINK_TAKES_S)}`,
    `NEW.linked_at < ${last}`,
    `(NEW.linked_at > ${databaseTime(dialect)} AND NEW.linked_at IS DISTINCT FROM ${last})`,
  ].join(' OR ');
}

/** Anything but what versions before this schema do when a password is wrong once more within the hour. */
function isOtherEvent(stored: string): string {
  return [
    `${stored}.event <> 'wrong_password'`,
    `substr(NEW.at, 1, 13) IS DISTINCT FROM substr(${stored}.at, 1, 13)`,
    ...['id', 'account_id', 'event', 'subject', 'actor'].map(
      (column) => `NEW.${column} IS DISTINCT FROM ${stored}.${column}`,
    ),
  ].join(' OR ');
}

const IS_NOT_COUNTED = `NEW.count IS DISTINCT FROM OLD.count + 1 OR ${isOtherEvent('OLD')}`;

/** That of the last event that went, since the next one holds its digest. */
const FIRST_KEPT_LINK =
  'COALESCE((SELECT c.number FROM audit_chain c WHERE c.account_id = OLD.account_id ' +
  'AND EXISTS (SELECT 1 FROM audit_log WHERE id = c.event_id) ORDER BY c.number LIMIT 1), ' +
  '(SELECT max(c.number) + 1 FROM audit_chain c WHERE c.account_id = OLD.account_id)) - 1';

function commonGuards(dialect: Dialect): readonly Guard[] {
  const keptSince = eventsKeptSince(dialect);
  const linkOfEvent = (event: string) => `SELECT 1 FROM audit_chain WHERE event_id = ${event}`;
  const eventOfLink = (link: string) => `SELECT 1 FROM audit_log WHERE id = ${link}.event_id`;
  return [
    ...ADDED.map((table) => refuseAlways(table, 'UPDATE')),
    {
      ...{ name: 'audit_log_no_delete', table: 'audit_log', event: 'DELETE' },
      refuseWhen: `${IS_OF_LIVE_ACCOUNT} AND NOT EXISTS (${linkOfEvent('OLD.id')} AND linked_at < ${keptSince})`,
    },
    {
      ...{ name: 'audit_chain_no_delete', table: 'audit_chain', event: 'DELETE' },
      refuseWhen:
        `${IS_OF_LIVE_ACCOUNT} AND (OLD.linked_at >= ${keptSince} OR EXISTS (${eventOfLink('OLD')}) ` +
        'OR NOT EXISTS (SELECT 1 FROM audit_chain c WHERE c.account_id = OLD.account_id AND c.number > OLD.number ' +
        `AND NOT EXISTS (${eventOfLink('c')})))`,
    },
    { name: 'audit_chain_only_next', table: 'audit_chain', event: 'INSERT', refuseWhen: isNoNextLink(dialect) },
    {
      ...{ name: 'audit_unlinked_no_delete', table: 'audit_unlinked', event: 'DELETE' },
      refuseWhen: `EXISTS (${eventOfLink('OLD')}) AND NOT EXISTS (${linkOfEvent('OLD.event_id')})`,
    },
    {
      ...{ name: 'audit_unlinked_only_new', table: 'audit_unlinked', event: 'INSERT' },
      refuseWhen: `EXISTS (${linkOfEvent('NEW.event_id')})`,
    },
    {
      ...{ name: 'audit_log_to_link', table: 'audit_log', event: 'INSERT', refuseWhen: null },
      afterwards: 'INSERT INTO audit_unlinked (event_id, account_id) VALUES (NEW.id, NEW.account_id)',
    },
    {
      ...{ name: 'audit_chain_linked', table: 'audit_chain', event: 'INSERT', refuseWhen: null },
      afterwards: 'DELETE FROM audit_unlinked WHERE event_id = NEW.event_id',
    },
    {
      ...{ name: 'audit_log_shorten', table: 'audit_log', event: 'DELETE', refuseWhen: null },
      // Where the account itself went, so do all links: to look for the first one after each event would take its time squared.
      afterwards:
        `DELETE FROM audit_chain WHERE account_id = OLD.account_id AND number < ${FIRST_KEPT_LINK} ` +
        'AND EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id)',
    },
    {
      ...{ name: 'audit_events_only_count', table: 'audit_events', event: 'UPDATE' },
      refuseWhen: dialect === 'sqlite' ? `NEW.rowid IS DISTINCT FROM OLD.rowid OR ${IS_NOT_COUNTED}` : IS_NOT_COUNTED,
    },
    {
      ...{ name: 'audit_events_no_delete', table: 'audit_events', event: 'DELETE' },
      refuseWhen: `${IS_OF_LIVE_ACCOUNT} AND OLD.at >= ${databaseTime(dialect, YEAR_S - CLOCKS_DIFFER_S)}`,
    },
  ];
}

/** See the guards of the first schema: a REPLACE deletes without firing DELETE triggers. */
const SQLITE_GUARDS: readonly Guard[] = [
  ...Object.entries({
    audit_log: 'id = NEW.id',
    audit_unlinked: 'event_id = NEW.event_id',
    audit_chain: '(account_id = NEW.account_id AND number = NEW.number) OR event_id = NEW.event_id',
    // Versions before this schema insert a wrong password again, and count it where there is a conflict.
    audit_events: `(id = NEW.id AND (${isOtherEvent('audit_events')}))`,
  }).map(([table, isSame]): Guard => ({
    ...{ name: `${table}_no_replace`, table, event: 'INSERT' },
    refuseWhen: `EXISTS (SELECT 1 FROM ${table} WHERE ${isSame} OR rowid = NEW.rowid)`,
  })),
];

const POSTGRES_GUARDS: readonly Guard[] = [
  ...PROTECTED.map((table) => refuseAlways(table, 'TRUNCATE')),
  ...['audit_log', 'audit_chain'].map((table): Guard => ({
    name: `${table}_only_erased`,
    table,
    event: 'DELETE',
    refuseWhen: IS_NOT_OWNER,
  })),
];

function guardsOf(dialect: Dialect): readonly Guard[] {
  const guards = [...commonGuards(dialect), ...(dialect === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS)];
  return guards.map((guard) => ({ ...guard, refusal: 'recorded events never change' }));
}

export function auditGuards(dialect: Dialect): ExpectedGuards {
  return definitionsOf(dialect, guardsOf(dialect));
}
