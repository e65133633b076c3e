import { z } from 'zod';
import { FETCH_FAILURES, type FetchFailure } from '../../net/failure.js';
import { REFUSALS, type RefusalReason } from '../../net/url-gate.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { RECORDING_LIMITS } from '../limits.js';

const { unsentMax, headersMax } = RECORDING_LIMITS;

const COUNT = z.int().min(0);
const DATE = z.string().refine((text) => !Number.isNaN(Date.parse(text)));
const ADDRESS = z.string().refine((text) => URL.parse(text) !== null);
const FAILURE = z.enum(Object.keys(FETCH_FAILURES) as FetchFailure[]);
const FIELDS = z.array(z.object({ name: z.string(), value: z.string() })).max(headersMax);

/** Names that begin with `_` are our own. */
const RESPONSE = z
  .object({
    /** 0 if there was no response. */
    status: COUNT,
    headers: FIELDS,
    content: z.object({
      size: COUNT,
      mimeType: z.string(),
      text: z.string(),
      encoding: z.literal('base64').optional(),
      /** True if the body could not be decoded, so that these are the bytes as sent. */
      _isCoded: z.literal(true).optional(),
      comment: z.string().optional(),
    }),
    /** Why there was no response, or only a part of it. */
    _error: FAILURE.optional(),
    /** True if the scan stopped reading before the end of the body. */
    _isAbandoned: z.literal(true).optional(),
  })
  .refine(({ status, _error }) => status > 0 || _error !== undefined);

/** One request and its response, without redirects (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/). */
const ENTRY = z.object({
  startedDateTime: DATE,
  /** Milliseconds until the last byte that was read, or until the failure. */
  time: COUNT,
  request: z.object({
    method: z.enum(['GET', 'POST']),
    url: ADDRESS,
    headers: FIELDS,
    postData: z.object({ mimeType: z.string(), text: z.string() }).optional(),
  }),
  response: RESPONSE,
});

/** Data that a replay needs besides the exchanges. */
const RUN = z
  .object({
    origin: z.string().regex(/^https?:/),
    isOwnershipVerified: z.boolean(),
    /** Pages that were chosen for the sample. */
    pages: z.array(z.string()).max(SCAN_LIMITS.chosenPagesMax).optional(),
    /** Part of the User-Agent. */
    infoUrl: z.string().nullable(),
    /** Seed for the names of control URLs; see `controlNames`. */
    controlSeed: z.string(),
    startedAt: DATE,
    finishedAt: DATE,
    requestCount: COUNT,
    /** True if the scan ended at its time limit. */
    isOutOfTime: z.boolean(),
    /** Requests that a limit prevented, by their `replayKey`. */
    unsent: z.array(z.object({ key: z.string(), failure: FAILURE })).max(unsentMax),
    /** URLs that the guard refused before any DNS query. */
    refused: z
      .array(z.object({ url: z.string(), reason: z.enum(Object.keys(REFUSALS) as RefusalReason[]) }))
      .max(unsentMax),
  })
  .refine(({ origin, pages = [] }) => [origin, ...pages].every((page) => isPageOf(origin, page)));

const LOG = z.object({ creator: z.object({ version: z.string() }), entries: z.array(ENTRY), _run: RUN });

export type HarEntry = z.infer<typeof ENTRY>;
export type HarRequest = HarEntry['request'];
export type HarResponse = HarEntry['response'];
export type HarContent = HarResponse['content'];
export type HarField = HarResponse['headers'][number];

export type RecordedRun = z.infer<typeof RUN>;
export type UnsentRequest = RecordedRun['unsent'][number];

/** All exchanges of a scan as entries of a HAR file: enough to judge it again without a network. */
export interface Recording {
  readonly run: RecordedRun;
  /** In the order in which header fields arrived or requests failed. */
  readonly entries: readonly HarEntry[];
}

/** A recording from a file, with the version of the package that wrote it. */
export interface SavedRecording extends Recording {
  readonly version: string;
}

/**
 * Reads a file that `writeRecording` wrote.
 * @param refuse called with the reason, a clause in our own words, if the file is not a recording or is malformed
 */
export function readRecording(file: Buffer, refuse: (reason: string) => never): SavedRecording {
  let log: Readonly<Record<string, unknown>> | null | undefined;
  try {
    ({ log } = Object(JSON.parse(file.toString())) as { readonly log?: typeof log });
  } catch {
    return refuse('it is cut off, or not a HAR file');
  }
  if (log?.version !== '1.2' || !Array.isArray(log.entries)) return refuse('it is not a HAR 1.2 file');
  if (log._run === undefined) return refuse('it was not written by scan --record');
  if (log.entries.length === 0) return refuse('it contains no responses');
  if (log.entries.length > SCAN_LIMITS.requestsMax) return refuse('it has more requests than a scan sends');
  const { data, error } = LOG.safeParse(log);
  if (!data) {
    const [part, index] = error.issues[0]?.path ?? [];
    const entry = part === 'entries' ? `: entry ${Number(index) + 1}` : '';
    return refuse(`one of its entries is malformed${entry}`);
  }
  return { version: data.creator.version, run: data._run, entries: data.entries };
}

function isPageOf(origin: string, page: string): boolean {
  const url = URL.parse(page);
  return url?.origin === origin && url.username === '';
}
