import type { AddressCounts } from '../app/limits/address-exchange.js';
import type { Config } from '../config.js';
import type { Endpoint } from '../net/guard.js';
import type { RefusalReason } from '../net/refusal.js';
import { OutOfResources, Starved } from '../scanner/artifacts/out-of-resources.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Trial } from '../scanner/scan/overlay-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { OverlayFile } from '../scanner/trace/overlay.js';

/** What a thread of scans starts with. */
export interface ThreadSettings {
  readonly config: Pick<
    Config,
    'scanAllowCidrs' | 'scanAllowPorts' | 'publicUrl' | 'evidenceDays' | 'signingKey' | 'logLevel'
  >;
  /** Of this package. */
  readonly version: string;
  /** Allowed alongside the operator's exceptions. */
  readonly endpoints: readonly Endpoint[];
}

/** One scan. */
export interface ScanOrder {
  readonly scan: number;
  readonly target: Omit<ScanTarget, 'origin' | 'pages' | 'restraint'> & {
    readonly origin: string;
    readonly pages: readonly string[] | undefined;
    readonly isRestrained: boolean;
  };
  readonly only?: readonly string[] | undefined;
  /** Tried in place of what the site answers at this path. */
  readonly trial?: { readonly pathname: string; readonly file: OverlayFile };
}

/** How a scan ended. An error would lose its class and its fields on the way, and one whose cause cannot be copied would not come at all. */
export type Outcome =
  | { readonly made: ScanReport | Trial }
  | { readonly lack: 'resources' }
  | { readonly lack: 'slots'; readonly siteRequestCount: number }
  | { readonly fault: string };

/** What a scan that ended so rejects with. */
export function errorOf(outcome: Exclude<Outcome, { made: unknown }>): Error {
  if ('fault' in outcome) return new Error(outcome.fault);
  return outcome.lack === 'slots' ? new Starved(outcome.siteRequestCount) : new OutOfResources();
}

/** What the thread asks of the service, where other scans and other processes are known. None of it rejects. */
export interface AskedOfService {
  exchange(addresses: readonly string[]): Promise<AddressCounts>;
  takeTurn(scan: number, address: string): number | Promise<number>;
  waitForTurn(scan: number, ms: number): Promise<void>;
  mayAskOther(scan: number, domain: string): Promise<boolean>;
}

/** What the thread tells it. */
export interface ToldToService {
  refused(reason: RefusalReason): void;
  progress(scan: number, progress: ScanProgress): void;
  end(scan: number, outcome: Outcome): void;
}

/** A call of one of these. What is asked has a number, and its answer the same. */
export interface Call<Name extends keyof CalledByThread = keyof CalledByThread> {
  readonly question?: number;
  readonly name: Name;
  readonly args: Parameters<CalledByThread[Name]>;
}

export type CalledByThread = AskedOfService & ToldToService;

/** Asks whether the thread is there. */
export type Ping = 'ping';

/** It is. */
export interface Pong {
  /** Seconds: of a hundred turns of its event loop since it was asked before, 99 came no later than this. */
  readonly lagS: number;
}

export interface Answer {
  readonly question: number;
  readonly value: unknown;
}
