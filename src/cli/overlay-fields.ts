import { InputError } from '../platform/input-error.js';

/** The header fields for the paths that match. */
export interface FieldRule {
  readonly matches: (path: string) => boolean;
  /** Names in lower case; a value null takes one away. */
  readonly fields: readonly (readonly [name: string, value: string | null])[];
}

/**
 * Reads a `_headers` file: a path, then indented `Name: value` lines, or `! Name` for one that is taken away. `*` stands for anything, and
 * `/:name` for a whole segment of the path.
 * @throws InputError
 */
export function parseFieldRules(text: string): readonly FieldRule[] {
  const rules: { matches: FieldRule['matches']; fields: [string, string | null][] }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const said = line.trim();
    if (said === '' || said.startsWith('#')) continue;
    if (!/^\s/.test(line)) {
      rules.push({ matches: matcherOf(said, index + 1), fields: [] });
      continue;
    }
    const [, isGone, name = '', rest] = /^(! )?([!#$%&'*+.^_`|~0-9A-Za-z-]+)(:.*)?$/.exec(said) ?? [];
    const value = rest?.slice(1).trim();
    const rule = rules.at(-1);
    if (!rule || name === '' || (isGone === undefined) === (value === undefined)) {
      throw new InputError(`--overlay: line ${index + 1} of _headers is neither a path nor an indented "Name: value".`);
    }
    rule.fields.push([name.toLowerCase(), value ?? null]);
  }
  return rules;
}

/** @throws InputError for more than one `*`, which hosts refuse, too: matching several could take hours */
function matcherOf(pattern: string, line: number): FieldRule['matches'] {
  const path = pattern.replace(/^https?:\/\/[^/]+/, '');
  if (path.split('*').length > 2) {
    throw new InputError(
      `--overlay: line ${line} of _headers has more than one "*". Write a rule for each path instead.`,
    );
  }
  const source = path.split(/(\*|(?<=\/):[A-Za-z]\w*(?=\/|$))/).map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  });
  const form = new RegExp(`^${source.join('')}$`);
  return (wanted) => form.test(wanted);
}
