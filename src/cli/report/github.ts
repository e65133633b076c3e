import { escapeMarkdown } from '../../scanner/findings/markdown.js';

/** The longest body of a comment that GitHub takes, in characters. */
export const COMMENT_CHARS_MAX = 65_536;

/**
 * Plain text as Markdown for GitHub, where `@context` would call a person of that name, and `#1` lead to an issue: in code they
 * do neither.
 */
export function escapeForGithub(text: string): string {
  return escapeMarkdown(text).replace(/(?<![\w`])[@#][A-Za-z0-9-]+/g, '`$&`');
}

/** A part that is folded until it is clicked. The empty lines make GitHub read what is inside as Markdown. */
export function fold(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

const LEFT_OUT = 'Some parts are left out: they are longer than a comment may be.';

/** The blocks as one document; those that a comment has no room for are left out whole, so that nothing stays open. */
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
