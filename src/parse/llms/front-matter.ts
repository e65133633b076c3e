/** Front matter is looked for in so many lines. */
const FRONT_MATTER_LINES_MAX = 200;

/**
 * YAML or TOML between two fences at the top is blanked, so that line numbers stay. It has to hold a `key: value`, or what
 * looks like it is a rule above the first section.
 */
export function blankFrontMatter(text: string): string {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const lines = text.slice(start).split('\n', FRONT_MATTER_LINES_MAX);
  const fence = lines[0]?.trimEnd();
  if (fence !== '---' && fence !== '+++') return text.slice(start);
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === fence);
  if (end < 0 || !lines.slice(1, end).some((line) => /^[\w-]+\s*[:=]/.test(line))) return text.slice(start);
  const length = lines.slice(0, end + 1).join('\n').length;
  return '\n'.repeat(end) + text.slice(start + length);
}
