import { DomUtils, parseDocument } from 'htmlparser2';

/** A form as a browser would send it. */
export interface PageForm {
  readonly method: string;
  readonly action: string;
  /** Names and values of its fields; of radio buttons and checkboxes, only the checked ones. */
  readonly fields: Readonly<Record<string, string>>;
  /** How many buttons send it. */
  readonly buttonCount: number;
}

/** What a page shows and offers, apart from its wording. */
export interface PageContent {
  readonly heading: string;
  /** Address and text of each link, in order. */
  readonly links: readonly { readonly href: string; readonly text: string }[];
  readonly forms: readonly PageForm[];
  /** The cells of each row of each table, headings included. */
  readonly rows: readonly (readonly string[])[];
  /** Names of the fields that are marked as invalid. */
  readonly invalid: readonly string[];
  /** Texts with the role `alert` or `status`. */
  readonly notices: readonly string[];
  /** All of its text, with single spaces. */
  readonly text: string;
}

/** Reads a page, so that tests compare roles, numbers, links and fields instead of markup and sentences. */
export function readPage(html: string): PageContent {
  const document = parseDocument(html);
  const all = (...names: readonly string[]) => DomUtils.findAll(({ name }) => names.includes(name), document.children);
  const textOf = (node: Parameters<typeof DomUtils.textContent>[0]): string =>
    DomUtils.textContent(node).replaceAll(/\s+/g, ' ').trim();
  return {
    heading: all('h1').map(textOf).join(' '),
    links: all('a').map((link) => ({ href: link.attribs.href ?? '', text: textOf(link) })),
    forms: all('form').map((form) => readForm(form)),
    rows: all('tr').map((row) =>
      DomUtils.findAll(({ name }) => name === 'td' || name === 'th', row.children).map(textOf),
    ),
    invalid: all('input', 'select', 'textarea')
      .filter(({ attribs }) => attribs['aria-invalid'] === 'true')
      .map(({ attribs }) => attribs.name ?? ''),
    notices: DomUtils.findAll(
      ({ attribs }) => attribs.role === 'alert' || attribs.role === 'status',
      document.children,
    ).map(textOf),
    text: textOf(document),
  };
}

/** The form of a page that is sent to this address. */
export function formTo(html: string, action: string): PageForm | undefined {
  return readPage(html).forms.find((form) => form.action === action);
}

type Element = ReturnType<typeof DomUtils.findAll>[number];

function readForm(form: Element): PageForm {
  const fields: Record<string, string> = {};
  for (const { name, attribs, children } of DomUtils.findAll(() => true, form.children)) {
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
  const buttons = DomUtils.findAll(
    ({ name, attribs }) => name === 'button' && attribs.type !== 'button',
    form.children,
  );
  return {
    method: form.attribs.method ?? 'get',
    action: form.attribs.action ?? '',
    fields,
    buttonCount: buttons.length,
  };
}

/** What a person reads: the page without its markup. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;)])/g, '');
}
