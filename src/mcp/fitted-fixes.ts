import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { splitFix, withoutServers } from '../scanner/verdict/fix-parts.js';

/** About as many characters make one token of a model, in text of this kind. */
const CHARS_A_TOKEN = 4;

/** Kept for the note on ignored arguments. */
const NOTE_TOKENS = 100;

/** What is said of a fix, the least first: what to do in a sentence or two; what holds whatever the server is; everything. */
const FORMS: readonly ((fix: string) => string)[] = [
  (fix) => splitFix(fix)[0]?.text ?? fix,
  withoutServers,
  (fix) => fix,
];

/** As tools return it alongside a fix. */
export const IS_WHOLE = z
  .boolean()
  .describe('False where fix leaves parts out: explain_check with this checkId and errorType has all.');

/** A fix, or as much of it as fits. */
export type Fitted<Item> = Item & { readonly isWhole: boolean };

/**
 * The answer with as much of each fix as there is room for: first every fix gets more, in their order, before one gets all.
 * @param show makes the answer
 */
export function fitFixes<Item extends { readonly fix: string | null }>(
  items: readonly Item[],
  tokensMax: number,
  show: (fitted: readonly Fitted<Item>[]) => CallToolResult,
): CallToolResult {
  const inForm = (item: Item, form: (fix: string) => string): Fitted<Item> => {
    const fix = item.fix === null ? null : form(item.fix);
    return { ...item, fix, isWhole: fix === item.fix };
  };
  const [least, ...fuller] = FORMS.map((form) => items.map((item) => inForm(item, form)));
  let fitted = least ?? [];
  for (const forms of fuller) {
    for (const [index, item] of forms.entries()) {
      const more = fitted.with(index, item);
      if (tokensOf(show(more)) <= tokensMax - NOTE_TOKENS) fitted = more;
    }
  }
  return show(fitted);
}

function tokensOf(answer: CallToolResult): number {
  return Math.ceil(JSON.stringify(answer).length / CHARS_A_TOKEN);
}
