import { Counter, Histogram, type Registry } from 'prom-client';

/** A single statement that only reads, one that writes, or a whole transaction. */
export type StatementKind = 'read' | 'write' | 'transaction';

/** `unavailable`: away, locked, or behind the code. */
export type FailureReason = 'unavailable' | 'fault';

/** Receives the duration of each database call, including the wait for a connection or lock. */
export interface DatabaseObserver {
  answered(kind: StatementKind, durationMs: number): void;
  failed(kind: StatementKind, durationMs: number, reason: FailureReason): void;
}

/** A prepared SQLite read takes 10 µs; a statement times out after 10 s. */
const BUCKETS_S = [0.0001, 0.0005, 0.002, 0.01, 0.05, 0.25, 1, 5, 15];

export function createDatabaseMetrics(register: Registry): DatabaseObserver {
  const durations = new Histogram({
    name: 'agent_readiness_database_duration_seconds',
    help: 'Time of single statements ("read", "write") and of whole transactions ("transaction"), with the wait for a connection or lock.',
    labelNames: ['kind'] as const,
    buckets: BUCKETS_S,
    registers: [register],
  });
  const errors = new Counter({
    name: 'agent_readiness_database_errors_total',
    help: 'Statements and transactions that the database refused: "unavailable" (away, locked, or behind the code), "fault".',
    labelNames: ['kind', 'reason'] as const,
    registers: [register],
  });
  for (const kind of ['read', 'write', 'transaction']) {
    for (const reason of ['unavailable', 'fault']) errors.inc({ kind, reason }, 0);
  }
  return {
    answered: (kind, durationMs) => durations.observe({ kind }, durationMs / 1000),
    failed: (kind, durationMs, reason) => {
      durations.observe({ kind }, durationMs / 1000);
      errors.inc({ kind, reason });
    },
  };
}
