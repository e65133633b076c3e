import type { LlmsHeading } from '../../artifacts/llms.js';
import { yieldToEventLoop } from '../../../net/event-loop.js';
import { blankFrontMatter } from './front-matter.js';
import type { SegmentFacts } from './segment-facts.js';
import { labelsOf, parseMarkdown, readDefinitions, readFacts } from './segment-facts.js';
import type { OpenBlock, Segment } from './markdown-segments.js';
import { SegmentCutter } from './markdown-segments.js';
import { findOpenBlock } from './open-block.js';

/** How much is parsed, in UTF-16 units, to bound a run's time: all of any file whose length passes C-LLMS-04. */
const PARSED_CHARS_MAX = 200_000;
/** Most links kept. */
const LINKS_MAX = 5_000;

/** The contents of llms.txt, read as CommonMark. */
export interface LlmsMarkdown {
  /** The first heading with text, and the first H1 with text, of the document itself. */
  readonly firstHeading: LlmsHeading | null;
  readonly h1: LlmsHeading | null;
  /** Inline links, reference links and autolinks in source order, with their raw targets. */
  readonly links: readonly { readonly line: number; readonly target: string }[];
  /** Lines of list entries that contain nothing but bare URLs, two or more. */
  readonly bareUrlItemLines: readonly number[];
  /** Whether all of the text was parsed. */
  readonly isWhollyParsed: boolean;
}

/**
 * Reads llms.txt. Skips front matter. An underlined H2 before the H1 is a note with a rule below it, not a heading: readers of
 * llms.txt recognise headings by their `#`. Yields to other work every few milliseconds.
 */
export async function parseLlms(text: string): Promise<LlmsMarkdown> {
  const parts = await parseParts(blankFrontMatter(text.slice(0, PARSED_CHARS_MAX)));
  const facts = parts.map((part) => part.facts);
  // Of several definitions of a label the first counts (CommonMark §4.7), so it is inserted last.
  const definitions = new Map(parts.flatMap((part) => [...part.definitions]).reverse());
  const links = facts
    .flatMap((part) => part.links)
    .map(({ line, target, reference }) => ({ line, target: target ?? definitions.get(reference ?? '') ?? '' }));
  const headings = facts.flatMap((part) => part.headings);
  const h1 = headings.find(({ level }) => level === 1) ?? null;
  const firstHeading = headings.find(({ level, isUnderlined }) => level === 1 || !isUnderlined) ?? null;
  return {
    firstHeading: toHeading(firstHeading),
    h1: toHeading(h1),
    links: links.slice(0, LINKS_MAX),
    bareUrlItemLines: facts.flatMap((part) => part.bareUrlItemLines),
    isWhollyParsed: text.length <= PARSED_CHARS_MAX && links.length <= LINKS_MAX,
  };
}

/** One parsed segment. */
interface Part {
  readonly facts: SegmentFacts;
  /** Its reference definitions: label → target. */
  readonly definitions: ReadonlyMap<string, string>;
}

async function parseParts(text: string): Promise<Part[]> {
  const cutter = new SegmentCutter(text);
  const parsed: { segment: Segment; part: Part }[] = [];
  let open: OpenBlock | null = null;
  for (let segment = cutter.next(open); segment !== null; segment = cutter.next(open)) {
    const root = parseMarkdown(segment.text);
    parsed.push({ segment, part: { facts: readFacts(root, segment), definitions: readDefinitions(root) } });
    open = findOpenBlock(root, segment.text);
    await yieldToEventLoop();
  }
  return resolveAcross(parsed);
}

/** Parses again the segments that refer to a definition in another segment: `[text]` is a link only if its label is defined. */
async function resolveAcross(parsed: readonly { segment: Segment; part: Part }[]): Promise<Part[]> {
  const labels = new Set(parsed.flatMap(({ part }) => [...part.definitions.keys()]));
  const parts: Part[] = [];
  for (const { segment, part } of parsed) {
    const missing = labelsOf(segment.text, labels).filter((label) => !part.definitions.has(label));
    if (missing.length > 0) await yieldToEventLoop();
    parts.push(missing.length === 0 ? part : { ...part, facts: readWithLabels(segment, missing) });
  }
  return parts;
}

function readWithLabels(segment: Segment, labels: readonly string[]): SegmentFacts {
  const prefix = [...labels.map((label) => `[${label}]: #`), ''];
  const text = [...prefix, segment.text].join('\n');
  return readFacts(parseMarkdown(text), { text, lineNumbers: [...prefix.map(() => 0), ...segment.lineNumbers] });
}

function toHeading(heading: SegmentFacts['headings'][number] | null): LlmsHeading | null {
  return heading && { level: heading.level, line: heading.line };
}
