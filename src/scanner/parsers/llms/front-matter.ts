const OPENING = /^(---|\+\+\+)[^\S\n]*\n/;
const CLOSING = { '---': /^---[^\S\n]*$/m, '+++': /^\+\+\+[^\S\n]*$/m } as const;
const KEY = /^[\w-]+[^\S\n]*[:=]/m;

/**
 * Blanks YAML or TOML between two fences at the top, which keeps line numbers. It must contain a `key: value`; otherwise it is a
 * rule above the first section.
 */
export function blankFrontMatter(text: string): string {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const [opening, fence] = OPENING.exec(bare) ?? [];
  if (opening === undefined) return bare;
  const inside = bare.slice(opening.length);
  const closing = CLOSING[fence === '---' ? '---' : '+++'].exec(inside);
  if (closing === null) return bare;
  const content = inside.slice(0, closing.index);
  if (!KEY.test(content)) return bare;
  return '\n'.repeat(content.split('\n').length) + inside.slice(closing.index + closing[0].length);
}
