import MarkdownIt, { type Token } from 'markdown-it';
import type { LlmsHeading, LlmsMarkdown } from '../artifacts/llms.js';
import { LLMS_LIMITS } from '../limits.js';

const BARE_URL = /^https?:\/\/[^\s]+$/i;
/** Setext headings are underlined with these. */
const UNDERLINES: ReadonlySet<string> = new Set(['-', '=']);

/** Emphasis affects neither headings nor links. */
const markdown = new MarkdownIt('commonmark').disable(['emphasis']);
markdown.normalizeLink = (url) => url;
markdown.validateLink = () => true;

/**
 * Reads llms.txt. Skips front matter. An underlined H2 before the H1 counts as a note above a rule, not as a heading, since readers of
 * llms.txt recognise headings by their `#`.
 */
export function parseLlms(text: string): LlmsMarkdown {
  const tokens = markdown.parse(blankFrontMatter(cutToLimit(text)), {});
  const headings = tokens.flatMap((token, at) =>
    token.type === 'heading_open' && token.level === 0 && hasText(tokens[at + 1]) ? [token] : [],
  );
  const targets = tokens.flatMap(linksIn);
  return {
    firstHeading: toHeading(headings.find(({ tag, markup }) => tag === 'h1' || !UNDERLINES.has(markup))),
    h1: toHeading(headings.find(({ tag }) => tag === 'h1')),
    targets: targets.slice(0, LLMS_LIMITS.linksMax),
    bareUrlItemLines: findBareUrlItems(tokens),
    isFullyParsed: text.length <= LLMS_LIMITS.charsMax && targets.length <= LLMS_LIMITS.linksMax,
  };
}

/** Cuts after a whole line if possible: a link that our limit cut would lead elsewhere. */
function cutToLimit(text: string): string {
  const { charsMax } = LLMS_LIMITS;
  return text.length <= charsMax ? text : text.slice(0, text.lastIndexOf('\n', charsMax) + 1 || charsMax);
}

function lineOf({ map }: Token): number {
  return (map?.[0] ?? 0) + 1;
}

function toHeading(token: Token | undefined): LlmsHeading | null {
  return token === undefined ? null : { level: Number(token.tag.slice(1)), line: lineOf(token) };
}

function hasText(inline: Token | undefined): boolean {
  return inline?.children?.some(({ type, content }) => type !== 'html_inline' && content.trim() !== '') === true;
}

function linksIn(token: Token): LlmsMarkdown['targets'] {
  const links: { line: number; target: string }[] = [];
  let line = lineOf(token);
  for (const child of token.children ?? []) {
    if (child.type === 'softbreak' || child.type === 'hardbreak') line += 1;
    else if (child.type === 'link_open') links.push({ line, target: String(child.attrGet('href') ?? '') });
  }
  return links;
}

function findBareUrlItems(tokens: readonly Token[]): number[] {
  const lines: number[] = [];
  const openLists: { itemCount: number; bareLines: number[] }[] = [];
  for (const [at, token] of tokens.entries()) {
    const list = openLists.at(-1);
    if (token.type.endsWith('_list_open')) openLists.push({ itemCount: 0, bareLines: [] });
    else if (token.type === 'list_item_open' && list) {
      list.itemCount += 1;
      if (isBareUrl(tokens.slice(at, at + 5))) list.bareLines.push(lineOf(token));
    } else if (token.type.endsWith('_list_close') && list) {
      openLists.pop();
      if (list.itemCount > 1 && list.bareLines.length === list.itemCount) lines.push(...list.bareLines);
    }
  }
  return lines;
}

/** @param item the tokens from the start of a list item */
function isBareUrl([, , inline, , end]: readonly Token[]): boolean {
  const [only, ...others] = inline?.children ?? [];
  return (
    end?.type === 'list_item_close' &&
    only?.type === 'text' &&
    others.length === 0 &&
    BARE_URL.test(only.content.trim())
  );
}

const FRONT_MATTER = /^(---|\+\+\+)[^\S\n]*\n([\s\S]*?)^\1[^\S\n]*$/m;
const KEY = /^[\w-]+[^\S\n]*[:=]/m;

/** Blanks YAML or TOML at the top without changing line numbers. A block without `key: value` is Markdown between two rules. */
export function blankFrontMatter(text: string): string {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const [whole, , content = ''] = FRONT_MATTER.exec(bare) ?? [];
  if (whole === undefined || !bare.startsWith(whole) || !KEY.test(content)) return bare;
  return '\n'.repeat(whole.split('\n').length - 1) + bare.slice(whole.length);
}
