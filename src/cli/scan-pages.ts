import { pageOf, parsePageOf } from '../app/sites/site-input.js';
import { distinctBy } from '../net/keyed.js';
import { InputError } from '../platform/input-error.js';
import { SCAN_LIMITS } from '../scanner/artifacts/scanner.js';

/** Pages of the site that was asked for, once each: that of the address itself first. */
export interface AskedPages {
  /** What was given for the site, and its origin. */
  readonly asked: string;
  readonly origin: URL;
  /** Paths or addresses. */
  readonly pages: readonly string[] | undefined;
  /** What these are called in a refusal. */
  readonly name: string;
}

/** @throws InputError for what is not a page of the site, and for too many */
export function parsePages({ asked, origin, pages = [], name }: AskedPages): readonly URL[] {
  const own = pageOf(asked);
  const named = pages.map((text) => parsePageOf(origin, text.trim(), name));
  const distinct = distinctBy([...(own ? [own] : []), ...named], ({ href }) => href);
  const { chosenPagesMax: max } = SCAN_LIMITS;
  if (distinct.length > max)
    throw new InputError(`${name}: these are ${distinct.length} pages. Choose ${max} at most.`);
  return distinct;
}

/** The pages of a preview, as those of the site. @param judgedAs null: nothing stands in for it */
export async function pagesAt(judgedAs: URL | null, pages: readonly URL[]): Promise<readonly URL[]> {
  if (judgedAs === null) return pages;
  const { moveTo } = await import('../net/preview.js');
  return pages.map((page) => moveTo(judgedAs, page));
}
