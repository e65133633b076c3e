import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Heading, ListItem, Nodes, Root } from 'mdast';
import type { LlmsHeading } from '../../artifacts/llms.js';
import type { Segment } from './markdown-segments.js';

/** Emphasis affects neither headings nor links, and parsing it takes time quadratic in the length. */
const EXTENSIONS = [{ disable: { null: ['attention'] } }];
const BARE_URL = /^https?:\/\/[^\s]+$/i;
const LABEL = /\[([^[\]]{1,200})\]/g;

/** The contents of one segment of llms.txt. */
export interface SegmentFacts {
  readonly headings: (LlmsHeading & { readonly isUnderlined: boolean })[];
  /** The target of a reference link is in a definition, possibly in another segment. */
  readonly links: { readonly line: number; readonly target: string | null; readonly reference: string | null }[];
  readonly bareUrlItemLines: number[];
}

/** Which of the `defined` labels the text may refer to. */
export function labelsOf(text: string, defined: ReadonlySet<string>): string[] {
  if (defined.size === 0) return [];
  const labels = new Set(Array.from(text.matchAll(LABEL), ([, label = '']) => normalizeLabel(label)));
  return [...labels].filter((label) => defined.has(label));
}

/** Compares labels as CommonMark does (§4.7), except letters whose lower case is not one to one. */
function normalizeLabel(label: string): string {
  return label.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: EXTENSIONS });
}

/** The reference definitions: label → target. */
export function readDefinitions(root: Root): Map<string, string> {
  const definitions = new Map<string, string>();
  walk(root, (node) => {
    if (node.type !== 'definition') return;
    const label = normalizeLabel(node.identifier);
    if (!definitions.has(label)) definitions.set(label, node.url);
  });
  return definitions;
}

export function readFacts(root: Root, { text, lineNumbers }: Segment): SegmentFacts {
  const facts: SegmentFacts = { headings: [], links: [], bareUrlItemLines: [] };
  const lineOf = (node: Nodes): number => lineNumbers[(node.position?.start.line ?? 1) - 1] ?? 1;
  for (const node of root.children) {
    if (node.type !== 'heading' || !hasText(node)) continue;
    const isUnderlined = text[node.position?.start.offset ?? 0] !== '#';
    facts.headings.push({ level: node.depth, line: lineOf(node), isUnderlined });
  }
  walk(root, (node) => {
    if (node.type === 'link') facts.links.push({ line: lineOf(node), target: node.url, reference: null });
    if (node.type === 'linkReference') {
      facts.links.push({ line: lineOf(node), target: null, reference: normalizeLabel(node.identifier) });
    }
    if (node.type === 'list' && node.children.length > 1 && node.children.every(isBareUrl)) {
      facts.bareUrlItemLines.push(...node.children.map(lineOf));
    }
  });
  return facts;
}

function hasText(heading: Heading): boolean {
  let isFound = false;
  walk(heading, (node) => {
    if (node.type === 'text' || node.type === 'inlineCode') isFound ||= node.value.trim() !== '';
    if (node.type === 'image' || node.type === 'imageReference') isFound ||= (node.alt ?? '').trim() !== '';
  });
  return isFound;
}

function isBareUrl({ children: [paragraph, ...more] }: ListItem): boolean {
  if (paragraph?.type !== 'paragraph' || more.length > 0) return false;
  const [only, ...others] = paragraph.children;
  return only?.type === 'text' && others.length === 0 && BARE_URL.test(only.value.trim());
}

/** Visits every node in source order, without recursion, since the file controls the depth. */
function walk(root: Nodes, visit: (node: Nodes) => void): void {
  const stack: Nodes[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    visit(node);
    if ('children' in node) stack.push(...node.children.toReversed());
  }
}
