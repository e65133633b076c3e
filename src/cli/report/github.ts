import { escapeMarkdown } from '../../scanner/report/markdown.js';

/** The longest comment body that GitHub accepts, in characters. */
export const COMMENT_CHARS_MAX = 65_536;

/**
 * Escapes plain text for GitHub's Markdown. Outside code, `@context` would mention a user of that name and `#1` would link to an
 * issue.
 */
export function escapeForGithub(text: string): string {
  return escapeMarkdown(text).replace(/(?<![\w`])[@#][A-Za-z0-9-]+/g, '`$&`');
}

/** A collapsed section. The empty lines make GitHub render its content as Markdown. */
export function fold(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

const LEFT_OUT = 'Some parts are left out: they are longer than a comment may be.';

/** Joins the blocks into one document. Blocks that do not fit into a comment are dropped whole, so that no element stays open. */
export function joinWithin(blocks: readonly string[], charsMax = COMMENT_CHARS_MAX): string {
  const joined = `${blocks.join('\n\n')}\n`;
  if (joined.length <= charsMax) return joined;
  const kept: string[] = [];
  let room = charsMax - LEFT_OUT.length - 1;
  for (const block of blocks) {
    if (block.length + 2 > room) continue;
    kept.push(block);
    room -= block.length + 2;
  }
  return `${[...kept, LEFT_OUT].join('\n\n')}\n`;
}
