import { isPlaceholder, strengthOfName, takesLine } from './secret-names.js';

/** Where a secret stands in a text: from the first character to the one behind the last. */
export type Range = readonly [start: number, end: number];

/** Shorter ones give nothing away, and no mask could. */
const CHARS_MIN = 4;

/** `name=`, `name: `, `"name": `, `user[name] = `, `name =>`, `name%3D`. */
const NAMED =
  /(?<![\w$.]-{0,2})([A-Za-z_$][\w$.-]{1,63})(?:\\{0,3}["'`]|&quot;|&#3[49];)?\]?[ \t]{0,8}(=>|:=|={1,3}|::?|%3[ad])/gi;
/** `--name value`, as programs are called. */
const OPTION = /(?<![\w-])--([a-z][\w-]{1,40})[ \t]{1,4}(?=[^\s-])/g;
/** The name is itself a value: `{"name": "API_TOKEN", "value": …`, `- name: API_TOKEN`. */
const PAIR =
  /(?<!\w)(?:name|key|id|header|field)["']?\s{0,4}[:=]\s{0,4}["']?([\w.$-]{2,64})["']?[\s,]{1,40}["']?(?:value|val|content|default)["']?\s{0,4}[:=]/gi;
/** `define('DB_PASSWORD', '…')`. */
const ARGUMENT = /[[(]\s{0,4}["']([\w.$-]{2,64})["']\s{0,4},(?=\s{0,4}["'])/g;
/** `<client_secret>…`. */
const ELEMENT = /<([A-Za-z_][\w:.-]{1,63})(?:\s[^<>]{0,200})?>(?=[^<>\n])/g;

/** The values after a name that says that they are secret, in any syntax. */
export function* findNamedValues(text: string): Generator<Range> {
  for (const pattern of [NAMED, OPTION, PAIR, ARGUMENT]) {
    let read = 0;
    for (const { index, 0: whole, 1: name = '', 2: sign = '' } of text.matchAll(pattern)) {
      // What is masked already is not read again: else a name in a name in a name would cost the square of their number.
      if (index < read) continue;
      const strength = strengthOfName(name);
      if (strength === null) continue;
      const from = index + whole.length;
      if (strength === 'weak' && !sign.startsWith('=') && !isTelling(name, text.slice(from, from + 100))) continue;
      const found = readValue(text, from, name);
      if (!found) continue;
      read = found[1];
      yield found;
    }
  }
  for (const { index, 0: whole, 1: name = '' } of text.matchAll(ELEMENT)) {
    if (strengthOfName(name) !== 'strong' || isPlaceholder(name)) continue;
    const start = index + whole.length;
    yield [start, start + matchAt(LINE, text, start).length];
  }
  yield* findInTags(text);
}

/** Whether what follows is not a word: behind `Session:` often stands a title. */
function isTelling(name: string, following: string): boolean {
  if (/cookie$/i.test(name)) return /^[^\n]{0,100}=/.test(following);
  const [word = ''] = /[^\s"'`<>]+/.exec(following) ?? [];
  return word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word);
}

/** A tag with its attributes, whose values may hold a `>`. */
const TAG = /<[A-Za-z](?:[^"'<>]|"[^"]{0,2000}"|'[^']{0,2000}')*/g;
const ATTRIBUTE = /(?<![\w:.@-])([\w:.@-]{1,64})\s{0,4}=\s{0,4}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/g;
const NAMING = new Set(['name', 'id', 'key', 'property', 'itemprop', 'type']);
const VALUED = new Set(['value', 'content', 'data-value', 'data-content']);

/** `<input name=csrf_token value=…>`, in whatever order. */
function* findInTags(text: string): Generator<Range> {
  for (const { index, 0: tag } of text.matchAll(TAG)) {
    const attributes = [...tag.matchAll(ATTRIBUTE)].map(({ index: at, 0: whole, 1: name = '', ...values }) => {
      const value = values[2] ?? values[3] ?? values[4] ?? '';
      const end = index + at + whole.length - (values[4] === undefined ? 1 : 0);
      return { name: name.toLowerCase(), value, range: [end - value.length, end] as const };
    });
    const strengths = attributes.filter(({ name }) => NAMING.has(name)).map(({ value }) => strengthOfName(value));
    if (!strengths.includes('strong') && !(strengths.includes('weak') && /^<input/i.test(tag))) continue;
    for (const { name, value, range } of attributes) if (VALUED.has(name) && value.length >= CHARS_MIN) yield range;
  }
}

const SPACE = /[ \t]{0,20}/y;
const SPACE_OF_JSON = /\s{0,80}[bfru]{0,2}(?=\\{0,3}["'`])/iy;
const QUOTE = /\\{0,3}["'`]|&quot;|&#3[49];/y;
/** A comma, a semicolon or an ampersand ends it where something follows that begins again. */
const BARE = /(?:[^\s"'`<>&,;]|[&,;](?!\s|$|[\w.$-]{1,64}[=:]|amp;|quot;|#3))+/y;
/** Credentials may have spaces and quotes in them: `Digest username="u", response="…"`. */
const LINE = /[^\r\n<]+/y;
/** A type stands between a name and its value: `password: string = '…'`. */
const TYPED = /[ \t]{0,8}=[ \t]{0,8}/y;
const VALUE_CHARS_MAX = 4000;

/** No value but a type or a constant of a program, a call, a member of what holds the value, a place to fill in. */
const TYPE =
  /^(?:any|async|await|bool|boolean|bytes|false|function|int|integer|new|nil|none|null|number|object|optional|required|str|string|text|true|typeof|undefined|unknown)[?|)\]}]*$/i;
const CODE =
  /(?:[A-Za-z_$.]{1,80}\(|[[{(]|\$\{|\.\.\.|(?:process|import|os|req|request|this|self|ctx|config|settings|window|document|props|event|options|params|data|user|form|body|res|response|env|secrets|vars|input|session|credentials)\.)/y;
const TO_FILL_IN =
  /^(?:\$?\{[^{}]*\}|\{\{[^{}]*\}\}|<[^<>]*>|%\w|%[A-Z_]+%|\$[A-Z_]+|\*+|x+|[\w-]{0,8}(?:\.{3}|…)|\.+)$/i;

function readValue(text: string, from: number, name: string, isTyped = false): Range | null {
  const start = from + (matchAt(SPACE_OF_JSON, text, from) || matchAt(SPACE, text, from)).length;
  const quote = matchAt(QUOTE, text, start);
  if (quote === '') return takesLine(name) ? readLine(text, start) : readBare(text, start, name, isTyped);
  const begin = start + quote.length;
  const value = readQuoted(text.slice(begin, begin + VALUE_CHARS_MAX), quote);
  return value.length < CHARS_MIN || TYPE.test(value) || isToFillIn(value) ? null : [begin, begin + value.length];
}

/** Up to its quote; of a value that is not closed, to the end of its line. */
function readQuoted(text: string, quote: string): string {
  const lineEnd = text.indexOf('\n');
  const line = lineEnd < 0 ? text : text.slice(0, lineEnd);
  for (let at = line.indexOf(quote); at >= 0; at = line.indexOf(quote, at + 1)) {
    if (quote.length > 1 || line[at - 1] !== '\\') return line.slice(0, at);
  }
  return line;
}

function readBare(text: string, start: number, name: string, isTyped: boolean): Range | null {
  if (matchAt(CODE, text, start) !== '') return null;
  const value = matchAt(BARE, text.slice(start, start + VALUE_CHARS_MAX), 0);
  const end = start + value.length;
  if (TYPE.test(value)) {
    const sign = isTyped ? '' : matchAt(TYPED, text, end);
    return sign === '' ? null : readValue(text, end + sign.length, name, true);
  }
  return value.length < CHARS_MIN || value === name || isToFillIn(value) ? null : [start, end];
}

/** The line may itself stand in quotes (`-H "authorization: …"`): an even number of them belongs to it. */
function readLine(text: string, start: number): Range | null {
  const line = matchAt(LINE, text.slice(start, start + VALUE_CHARS_MAX), 0);
  const credentials = /^(?:\w{1,20}[ \t]+)?([^\s"'`,;]*)/.exec(line)?.[1] ?? '';
  if (credentials === '' || isToFillIn(credentials)) return null;
  const quotes = [...line.matchAll(/["'`]/g)];
  const length = quotes.length % 2 === 0 ? line.length : (quotes.at(-1)?.index ?? 0);
  return length < CHARS_MIN ? null : [start, start + length];
}

function isToFillIn(value: string): boolean {
  return TO_FILL_IN.test(value) || isPlaceholder(value);
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
