import { PAGE_LIMITS } from '../limits.js';
import { type Attributes, readHtmlTokens } from './html-tokens.js';

/** Elements allowed in a head; any other ends it (HTML standard, section 13.2.6.4.4, "in head"). */
const HEAD_ELEMENTS = new Set('html head meta link base basefont bgsound'.split(' '));
/** Elements of a head that may contain text. */
const TEXT_ELEMENTS = new Set(['title', 'script', 'style', 'noscript', 'noframes', 'template']);
/** Only ASCII white space may separate the elements of a head (same section): a no-break space ends it. */
const NON_SPACE = /[^\t\n\f\r ]/;

/**
 * Returns the contents of `<meta name="…">` in the head of a page. Only the head counts: visitors may have written parts of the body,
 * so it proves nothing about the owner.
 * @param name in lower case
 */
export function readHeadMetas(html: string, name: string): string[] {
  const contents: string[] = [];
  let textDepth = 0;
  let templateDepth = 0;
  const reader = {
    isDone: false,
    onOpen(element: string, attributes: Attributes): void {
      if (!HEAD_ELEMENTS.has(element) && !TEXT_ELEMENTS.has(element)) reader.isDone = true;
      if (TEXT_ELEMENTS.has(element)) textDepth += 1;
      if (element === 'template') templateDepth += 1;
      const isWanted = element === 'meta' && attributes.name?.trim().toLowerCase() === name;
      if (isWanted && templateDepth === 0 && !reader.isDone) contents.push(attributes.content ?? '');
    },
    onClose(element: string): void {
      if (element === 'head') reader.isDone = true;
      if (TEXT_ELEMENTS.has(element)) textDepth -= 1;
      if (element === 'template') templateDepth -= 1;
    },
    onText(text: string): void {
      if (textDepth <= 0 && NON_SPACE.test(text)) reader.isDone = true;
    },
  };
  readHtmlTokens(html.replace(/^\uFEFF/, '').slice(0, PAGE_LIMITS.headCharsMax), reader, { isCut: true });
  return contents;
}
