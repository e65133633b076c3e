import type { FileFacts, Outcome } from './resource.js';

/** How much of robots.txt we read: enough to prove that rules come after the part that crawlers read. */
export const ROBOTS_BYTES_MAX = 1024 * 1024;

/** One Allow or Disallow line. */
export interface RobotsRule {
  readonly allow: boolean;
  /** The path pattern, percent-normalised; never empty. */
  readonly pattern: string;
  /** Line number in the file, from 1. */
  readonly line: number;
  /** Its path has a character that stands in a URL only encoded, such as a space: Google compares it as it stands, others encode it. */
  readonly isRaw?: true;
  /** Of a rule that allows the index page of a folder: the pattern of that very folder, for readers that take one for the other. */
  readonly folder?: string;
}

/** A `Content-Signal:` or `Content-Usage:` line of a group. */
export interface PreferenceLine {
  readonly field: 'content-signal' | 'content-usage';
  readonly value: string;
  readonly line: number;
  /** How many names its group had up to this line. */
  readonly nameCount: number;
}

/** User-agent lines without another record between them. */
export interface RobotsNames {
  /** As in the group, but a name that is repeated may be here twice. */
  readonly tokens: readonly string[];
  /** Number of the first line, from 1. */
  readonly line: number;
}

/** One group: consecutive User-agent lines and the rules after them (RFC 9309 §2.1). */
export interface RobotsGroup {
  /** Product tokens in lower case, including `*`. */
  readonly tokens: readonly string[];
  /**
   * The User-agent lines, divided where other records stand between them; one part if there are none.
   * For strict readers the rules belong to the last part alone.
   */
  readonly parts: readonly RobotsNames[];
  readonly rules: readonly RobotsRule[];
  readonly preferences: readonly PreferenceLine[];
  /** `Crawl-delay` in seconds; 0 if there is none. */
  readonly crawlDelayS: number;
}

/** The groups that one reader makes of the file. */
export interface RobotsReading {
  readonly groups: readonly RobotsGroup[];
}

/** robots.txt, parsed by RFC 9309. */
export interface RobotsTxt extends RobotsReading {
  /** Google reads keys by their beginning (`Disallow all:`), and compares octets as received; null where that changes nothing. */
  readonly google: RobotsReading | null;
  /** What readers may make of it alongside `groups`, Google's included: none of a file in UTF-8 whose keys are written as they should be. */
  readonly others: readonly RobotsReading[];
  /** The first lines whose key only Google's parser knows. */
  readonly looseKeyLines: readonly number[];
  /** The first lines whose rule depends on how octets are read that are not UTF-8. */
  readonly octetLines: readonly number[];
  /** `Sitemap:` lines in order, with their raw values. */
  readonly sitemaps: readonly { readonly value: string; readonly line: number }[];
  /** `License:` lines in order (RSL 1.0), with their raw values. */
  readonly licenses: readonly { readonly value: string; readonly line: number }[];
  /** The first `Agentmap:` lines with their raw values (ARD 0.91 §4). */
  readonly agentmaps: readonly { readonly value: string; readonly line: number }[];
  /** Preference lines outside of any group. */
  readonly looseFields: readonly PreferenceLine[];
}

export interface RobotsFile {
  /** The origin that it governs (RFC 9309 §2.3): the origin that was asked, wherever redirects led. */
  readonly origin: URL;
  readonly file: FileFacts;
  readonly robots: RobotsTxt;
  /** Some rules come after the first 512,000 bytes, where crawlers may stop reading (RFC 9309 §2.5). */
  readonly hasRulesPastLimit: boolean;
}

/** The file if it is there, and not the HTML page of a site that answers every address. */
export function readableRobots(robots: Outcome<RobotsFile> | null): RobotsFile | null {
  return robots?.kind === 'present' && !robots.value.file.isHtml ? robots.value : null;
}
