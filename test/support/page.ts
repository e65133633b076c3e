import { DomUtils, parseDocument } from 'htmlparser2';

export type PageContent = ReturnType<typeof readPage>;

/** Reads what a page shows and offers, so that tests compare roles, numbers, links and fields instead of markup and sentences. */
export function readPage(html: string) {
  const document = parseDocument(html);
  const all = (...names: readonly string[]) => DomUtils.findAll(({ name }) => names.includes(name), document.children);
  const textOf = (node: Parameters<typeof DomUtils.textContent>[0]): string =>
    DomUtils.textContent(node).replaceAll(/\s+/g, ' ').trim();
  return {
    heading: all('h1').map(textOf).join(' '),
    links: all('a').map((link) => ({ href: link.attribs.href ?? '', text: textOf(link) })),
    forms: all('form').map(readForm),
    /** The cells of each row of each table, headings included. */
    rows: all('tr').map((row) =>
      DomUtils.findAll(({ name }) => name === 'td' || name === 'th', row.children).map(textOf),
    ),
    /** Names of the fields that are marked as invalid. */
    invalid: all('input', 'select', 'textarea')
      .filter(({ attribs }) => attribs['aria-invalid'] === 'true')
      .map(({ attribs }) => attribs.name ?? ''),
    /** Texts with the role `alert` or `status`. */
    notices: DomUtils.findAll(({ attribs: { role } }) => role === 'alert' || role === 'status', document.children).map(
      textOf,
    ),
    text: textOf(document),
  };
}

export function formTo(html: string, action: string) {
  return readPage(html).forms.find((form) => form.action === action);
}

type Element = ReturnType<typeof DomUtils.findAll>[number];

/** Reads a form as a browser would send it: radio buttons and checkboxes count only if they are checked. */
function readForm(form: Element) {
  const fields: Record<string, string> = {};
  const elements = DomUtils.findAll(() => true, form.children);
  for (const { name, attribs, children } of elements) {
    if (attribs.name === undefined) continue;
    const isChoice = attribs.type === 'radio' || attribs.type === 'checkbox';
    if (name === 'input' && (!isChoice || 'checked' in attribs)) fields[attribs.name] = attribs.value ?? '';
    if (name === 'textarea') fields[attribs.name] = DomUtils.textContent(children);
    if (name === 'select') {
      const options = DomUtils.findAll((option) => option.name === 'option', children);
      const chosen = options.find((option) => 'selected' in option.attribs) ?? options[0];
      fields[attribs.name] = chosen?.attribs.value ?? '';
    }
  }
  const buttonCount = elements.filter(({ name, attribs }) => name === 'button' && attribs.type !== 'button').length;
  return { method: form.attribs.method ?? 'get', action: form.attribs.action ?? '', fields, buttonCount };
}

/** Returns the page without its markup. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;)])/g, '');
}
