import { request } from 'node:http';

/** What a client asks the API for. */
export interface Question {
  readonly op: 'start' | 'latest' | 'byNumber';
  readonly keyId: string;
  readonly key: string;
  readonly siteId: string;
  /** Of a run; 0 is one that cannot be. */
  readonly number?: number;
}

/** How a connection ended that brought no whole answer. `cut`: in the middle of one. */
export type Broken = 'not connected' | 'without an answer' | 'cut';

/** A question with what came back, and when: in milliseconds of this process's monotonic clock. */
export interface Call extends Question {
  readonly beganMs: number;
  readonly endedMs: number;
  /** 0 where no whole answer came. */
  readonly status: number;
  readonly broken: Broken | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The code of a refusal. */
  readonly code: string | null;
}

/** Something that an account's holder or an operator has changed. Where it failed, nobody knows whether it took place. */
export interface Change {
  readonly kind: 'revoked' | 'removed' | 'plan';
  /** A key, a site, or an account. */
  readonly id: string;
  /** The new plan. */
  readonly plan?: string;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly isSure: boolean;
}

/** Everything that clients have seen, for the checks. */
export class History {
  readonly calls: Call[] = [];
  readonly changes: Change[] = [];

  async ask(port: number, question: Question): Promise<Call> {
    const beganMs = performance.now();
    const answer = await exchange(port, question);
    const call = { ...question, beganMs, endedMs: performance.now(), ...answer, code: codeOf(answer) };
    this.calls.push(call);
    return call;
  }

  /** Notes a change with its times; it rejects where the change does. */
  async change<T>(what: Pick<Change, 'kind' | 'id' | 'plan'>, make: () => Promise<T>): Promise<T> {
    const beganMs = performance.now();
    const note = (isSure: boolean) => this.changes.push({ ...what, beganMs, endedMs: performance.now(), isSure });
    try {
      const made = await make();
      note(true);
      return made;
    } catch (error) {
      note(false);
      throw error;
    }
  }

  changesOf(kind: Change['kind']): Change[] {
    return this.changes.filter((change) => change.kind === kind).sort((a, b) => a.endedMs - b.endedMs);
  }
}

type Answer = Pick<Call, 'status' | 'broken' | 'headers' | 'text'>;

function exchange(port: number, { op, key, siteId, number }: Question): Promise<Answer> {
  const path = `/api/v1/sites/${siteId}/runs${op === 'start' ? '' : op === 'latest' ? '/latest' : `/${number ?? 0}`}`;
  const headers = { authorization: `Bearer ${key}` };
  const method = op === 'start' ? 'POST' : 'GET';
  return new Promise((resolve) => {
    const end = (broken: Broken): void => resolve({ status: 0, broken, headers: {}, text: '' });
    let isConnected = false;
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => end('cut'));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const text = Buffer.concat(chunks).toString();
        resolve({ status, broken: null, headers: headers as Call['headers'], text });
      });
    });
    outgoing.on('socket', (socket) => socket.once('connect', () => (isConnected = true)));
    outgoing.on('error', () => end(isConnected ? 'without an answer' : 'not connected'));
    outgoing.end();
  });
}

function codeOf({ status, text }: Answer): string | null {
  if (status < 400) return null;
  try {
    return (JSON.parse(text) as { error: { code: string } }).error.code;
  } catch {
    return 'no error body';
  }
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
