/**
 * A small site, and what a scanner must find on it. README.md describes the form for other scanners. `{ORIGIN}` in a body or a
 * header stands for the site's origin.
 */
export interface CorpusCase {
  /** In kebab-case; unique in the corpus. */
  readonly id: string;
  /** The rule that the case shows, as a sentence. */
  readonly shows: string;
  /** By path on the site, or by absolute URL on another host. What is not listed is a 404; an unlisted host does not exist. */
  readonly answers: Readonly<Record<string, CorpusAnswer>>;
  /** By check: the result, with the error type of a FAIL. Checks that the case says nothing of are left out. */
  readonly expect: Readonly<Record<string, string>>;
  /** Ids of notes that must be there, and with a `!` before them of notes that must not. */
  readonly notes?: readonly string[];
}

/** A string is a body, an array its lines. Without a status it is 200; without a type the path's extension decides. */
export type CorpusAnswer = CorpusBody | AnswerWithHead;

type CorpusBody = string | readonly string[];

interface AnswerWithHead {
  readonly status?: number;
  /** The Content-Type; null sends none. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: CorpusBody;
  /** How the body is sent. By default utf8; in latin1 each character is one octet. */
  readonly encoding?: 'utf8' | 'latin1';
  /** In place of a body: a value to send as JSON. */
  readonly json?: unknown;
  /** In place of a body: an HTML page of these parts. */
  readonly page?: CorpusPage;
  /** Sent instead when the Accept header begins with the media type that is the key. */
  readonly accept?: Readonly<Record<string, CorpusAnswer>>;
  /** Sent instead to a request of the method that is the key. */
  readonly method?: Readonly<Record<string, CorpusAnswer>>;
}

interface CorpusPage {
  readonly title: string;
  /** HTML of the body. */
  readonly main: CorpusBody;
  /** HTML of the head, after the title. */
  readonly head?: CorpusBody;
  /** JSON-LD blocks. */
  readonly jsonLd?: readonly unknown[];
}

/** The home page of a case that lists none. */
const HOME: AnswerWithHead = {
  page: {
    title: 'Harbour Kiosk',
    main: '<main><h1>Harbour Kiosk</h1><p>Coffee, newspapers and ferry tickets at the old harbour, open every day.</p></main>',
  },
};

/** One answer, ready to be sent. An undefined type follows from the path's extension. */
interface SentAnswer {
  readonly status: number;
  readonly type: string | null | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What an answer depends on; `accept` is the value of the Accept header. */
interface CorpusRequest {
  readonly method: string;
  readonly accept: string | undefined;
}

/** The answers of a case, its home page included. */
export function answersOf({ answers }: CorpusCase): Readonly<Record<string, CorpusAnswer>> {
  return { '/': HOME, ...answers };
}

/** What a case answers to one request, with the site's origin in place of `{ORIGIN}`. */
export function sentAnswer(given: CorpusAnswer, request: CorpusRequest, origin: string): SentAnswer {
  const answer: AnswerWithHead = isBody(given) ? { body: given } : given;
  const other =
    answer.method?.[request.method] ??
    Object.entries(answer.accept ?? {}).find(([type]) => request.accept?.startsWith(type) === true)?.[1];
  if (other !== undefined) return sentAnswer(other, request, origin);
  const fill = (text: string): string => text.replaceAll('{ORIGIN}', origin);
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, fill(value)] as const);
  return {
    status: answer.status ?? 200,
    type: answer.type,
    headers: Object.fromEntries(headers),
    body: Buffer.from(fill(bodyOf(answer)), answer.encoding ?? 'utf8'),
  };
}

function bodyOf({ body, json, page }: AnswerWithHead): string {
  if (json !== undefined) return JSON.stringify(json);
  return page ? formatPage(page) : textOf(body ?? '');
}

function formatPage({ title, main, head = '', jsonLd = [] }: CorpusPage): string {
  const blocks = jsonLd.map((block) => `<script type="application/ld+json">${JSON.stringify(block)}</script>`);
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${title}</title>`,
    textOf(head),
    ...blocks,
    '</head><body>',
    textOf(main),
    '</body></html>',
  ].join('\n');
}

function isBody(answer: CorpusAnswer): answer is CorpusBody {
  return typeof answer === 'string' || Array.isArray(answer);
}

function textOf(body: CorpusBody): string {
  return typeof body === 'string' ? body : `${body.join('\n')}\n`;
}
