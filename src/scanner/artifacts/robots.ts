import type { FileFacts, KnownOutcome } from './resource.js';

/** Bytes of robots.txt that we read: enough to find rules past the limit of crawlers. */
export const ROBOTS_BYTES_MAX = 1024 * 1024;

export interface RobotsRule {
  readonly allow: boolean;
  /** The path pattern, percent-normalised; never empty. */
  readonly pattern: string;
  /** Line number in the file, from 1. */
  readonly line: number;
}

/** A `Content-Signal:` or `Content-Usage:` line of a group. */
export interface PreferenceLine {
  readonly field: 'content-signal' | 'content-usage';
  readonly value: string;
  readonly line: number;
}

/** One group: User-agent lines and the rules after them (RFC 9309 §2.1). */
export interface RobotsGroup {
  /** Product tokens in lower case, including `*`. */
  readonly tokens: readonly string[];
  readonly rules: readonly RobotsRule[];
  readonly preferences: readonly PreferenceLine[];
  /** `Crawl-delay` in seconds; 0 if there is none. */
  readonly crawlDelayS: number;
}

/** The rules of parsing: RFC 9309, where any other record ends a list of user agents, or Google's published parser. */
export type RobotsView = 'rfc' | 'google';

export interface RobotsTxt {
  readonly groups: Readonly<Record<RobotsView, readonly RobotsGroup[]>>;
  /** `Sitemap:` lines in order, with their raw values. */
  readonly sitemaps: readonly RobotsLine[];
  /** `License:` lines in order (RSL 1.0), with their raw values. */
  readonly licenses: readonly RobotsLine[];
  /** The first `Agentmap:` lines with their raw values (ARD 0.91 §4). */
  readonly agentmaps: readonly RobotsLine[];
  /** Preference lines outside of any group. */
  readonly ungroupedPreferences: readonly PreferenceLine[];
  /** False if one of our limits stopped the parser. */
  readonly isWhole: boolean;
}

export interface RobotsLine {
  readonly value: string;
  readonly line: number;
}

export interface RobotsFile {
  /** The origin that it governs: the requested one, even after redirects (RFC 9309 §2.3). */
  readonly origin: URL;
  readonly file: FileFacts;
  readonly robots: RobotsTxt;
  /** True if some rules come after the first 512,000 bytes, where crawlers may stop reading (RFC 9309 §2.5). */
  readonly hasRulesPastLimit: boolean;
}

/** `status` is null if redirects fail, which counts as no file (RFC 9309 §2.3.1.2). */
export type RobotsOutcome = KnownOutcome<RobotsFile> | { readonly kind: 'absent'; readonly status: null };

/** True if robots.txt was read, or does not exist. */
export function isRobotsKnown(
  robots: RobotsOutcome | null,
): robots is Exclude<RobotsOutcome, { kind: 'unreachable' | 'timeout' }> {
  return robots !== null && robots.kind !== 'unreachable' && robots.kind !== 'timeout';
}

/** Returns the file, or null if it is absent, unknown or an HTML page. */
export function readableRobots(robots: RobotsOutcome | null): RobotsFile | null {
  return robots?.kind === 'present' && !robots.value.file.isHtml ? robots.value : null;
}
