/** HTML start tags that end SVG and MathML (HTML standard §13.2.6.5, "the rules for parsing tokens in foreign content"). */
const BREAKING_OUT = new Set(
  `b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre
  ruby s small span strong strike sub sup table tt u ul var`.split(/\s+/),
);
const FONT_ATTRIBUTES = ['color', 'face', 'size'];

/** HTML elements that are never open (HTML standard §13.1.2, "void elements", and the obsolete ones that parse alike). */
const VOID = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(' '),
);

/** Elements inside which HTML continues (§13.2.6, "HTML integration point", "MathML text integration point"). */
const INTEGRATION_POINTS = {
  svg: new Set(['foreignobject', 'desc', 'title']),
  math: new Set(['mi', 'mo', 'mn', 'ms', 'mtext']),
} as const;
/** What ends by its own end tag even where the HTML inside is still open. */
const ENDING = new Set(['svg', 'math', 'annotation-xml', ...INTEGRATION_POINTS.svg, ...INTEGRATION_POINTS.math]);
const HTML_ENCODING = /^(?:text\/html|application\/xhtml\+xml)$/i;

/** No honest page nests its pictures and formulas deeper; what is deeper is not tracked. */
const DEPTH_MAX = 10_000;
/** No honest page has elements of more names; those of other names are not remembered as open. */
const NAMES_MAX = 10_000;

/** What is known of a name: kept by name, since looking it up costs more than all else here. */
interface NameRecord {
  readonly name: string;
  readonly isVoid: boolean;
  readonly breaksOut: boolean;
  /** How many HTML elements, and how many on the stack, are open by this name. */
  htmlCount: number;
  stackedCount: number;
}

/** An element of SVG or MathML that is open. */
interface ForeignElement {
  readonly record: NameRecord;
  readonly namespace: 'svg' | 'math';
  readonly isIntegrationPoint: boolean;
  /** HTML was opened inside this integration point. */
  holdsHtml: boolean;
}

/**
 * Tells which tags of a page are SVG or MathML instead of HTML, since those are tokenized differently: there, `<title>`, `<style>` and
 * `<script>` are elements like any other, `/>` ends an element, and CDATA sections exist. Keeps a stack of the open elements of
 * SVG and MathML alone; of HTML, only how many of each name are open. Every step takes constant time on average.
 */
export class ForeignContent {
  readonly #stack: ForeignElement[] = [];
  /** The innermost one; asked at every tag. */
  #top: ForeignElement | undefined;
  readonly #records = new Map<string, NameRecord>();

  /** @param onEnd told of each element of SVG or MathML that ends, by its own end tag or by another's */
  constructor(private readonly onEnd: (name: string) => void) {}

  /** Whether a start tag, or text, would now be SVG or MathML. */
  get isForeign(): boolean {
    return this.#top?.isIntegrationPoint === false;
  }

  /** Whether `<![CDATA[` would now begin a CDATA section: in HTML it is a comment that ends at the next `>`. */
  get allowsCdata(): boolean {
    return this.#top?.holdsHtml === false;
  }

  /** Reads a start tag; true if its element is one of SVG or MathML. */
  open(name: string, attributes: ReadonlyMap<string, string>, isSelfClosing: boolean): boolean {
    const record = this.#recordOf(name);
    const top = this.#top;
    if (top?.isIntegrationPoint === false) {
      const breaksOut = record.breaksOut || (name === 'font' && FONT_ATTRIBUTES.some((known) => attributes.has(known)));
      if (!breaksOut) {
        if (!isSelfClosing) this.#push(record, namespaceIn(top, name), attributes);
        return true;
      }
      this.#leave();
    }
    if (name === 'svg' || name === 'math') {
      if (!isSelfClosing) this.#push(record, name, attributes);
      return true;
    }
    if (!record.isVoid) {
      record.htmlCount += 1;
      if (this.#top) this.#top.holdsHtml = true;
    }
    return false;
  }

  /** Reads an end tag; true if it ended an element of SVG or MathML, of which {@link onEnd} was told. */
  close(name: string): boolean {
    const record = this.#recordOf(name);
    const top = this.#top;
    // HTML inside an integration point has end tags of its own.
    if (top && record.stackedCount > 0 && (!top.holdsHtml || ENDING.has(name))) {
      while (this.#pop() !== record);
      return true;
    }
    const isHtmlOpen = record.htmlCount > 0;
    if (isHtmlOpen) record.htmlCount -= 1;
    // The end of an element around the picture ends it, too; an end tag of nothing that is open is passed over.
    if (top?.isIntegrationPoint === false && (isHtmlOpen || name === 'p' || name === 'br')) this.#leave();
    return false;
  }

  #recordOf(name: string): NameRecord {
    const known = this.#records.get(name);
    if (known) return known;
    const isVoid = VOID.has(name);
    const record = { name, isVoid, breaksOut: BREAKING_OUT.has(name), htmlCount: 0, stackedCount: 0 };
    if (this.#records.size < NAMES_MAX) this.#records.set(name, record);
    return record;
  }

  #push(record: NameRecord, namespace: 'svg' | 'math', attributes: ReadonlyMap<string, string>): void {
    if (this.#stack.length >= DEPTH_MAX) return;
    const { name } = record;
    const isIntegrationPoint =
      INTEGRATION_POINTS[namespace].has(name) ||
      (name === 'annotation-xml' && namespace === 'math' && HTML_ENCODING.test(attributes.get('encoding') ?? ''));
    this.#top = { record, namespace, isIntegrationPoint, holdsHtml: false };
    this.#stack.push(this.#top);
    record.stackedCount += 1;
  }

  #pop(): NameRecord | null {
    const element = this.#stack.pop();
    this.#top = this.#stack.at(-1);
    if (!element) return null;
    element.record.stackedCount -= 1;
    this.onEnd(element.record.name);
    return element.record;
  }

  /** Back to HTML: the page's own, or that of the integration point around. */
  #leave(): void {
    while (this.isForeign) this.#pop();
  }
}

/** `<svg>` is an element of MathML inside of it, but for one that annotates a formula. */
function namespaceIn(parent: ForeignElement, name: string): 'svg' | 'math' {
  return parent.record.name === 'annotation-xml' && name === 'svg' ? 'svg' : parent.namespace;
}
