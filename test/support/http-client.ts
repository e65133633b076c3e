import { request } from 'node:http';
import { connect } from 'node:net';
import { SEARCH } from './secrets.js';

export interface HttpAnswer {
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface HttpRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Several pieces are sent chunked. */
  readonly body?: string | readonly Buffer[];
}

/** Sends one request on a connection of its own. Unlike `fetch`, it sends the path as it is given. Refusals are searched for secrets. */
export function send(port: number, path: string, options: HttpRequest = {}): Promise<HttpAnswer> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString();
        if (status >= 400) SEARCH.error(path, status, text);
        resolve({ method, status, headers: response.headers as HttpAnswer['headers'], text, bytes });
      });
    });
    outgoing.on('error', reject);
    if (typeof body === 'object') for (const chunk of body) outgoing.write(chunk);
    outgoing.end(typeof body === 'string' ? body : undefined);
  });
}

/** A client that stores its cookie and sends the header fields that a browser sends with forms of our own pages. */
export class Visitor {
  /** @param cookie of the session, as it is sent */
  constructor(
    private readonly port: number,
    public cookie: string | null = null,
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.send(path, { headers: { accept: 'text/html', ...headers } });
  }

  post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams(fields).toString();
    return this.send(path, { method: 'POST', headers: { accept: 'text/html', ...form, ...headers }, body });
  }

  async send(path: string, request: HttpRequest): Promise<HttpAnswer> {
    const headers = { ...request.headers, ...(this.cookie !== null && { cookie: this.cookie }) };
    const answer = await send(this.port, path, { ...request, headers });
    for (const line of (answer.headers['set-cookie'] ?? []) as readonly string[]) {
      const [pair = ''] = line.split(';', 1);
      this.cookie = pair.endsWith('=') ? null : pair;
    }
    return answer;
  }
}

/** Sends a JSON-RPC message to the MCP endpoint, as clients of older revisions do. */
export function postToMcp(port: number, body: unknown, { headers, ...request }: HttpRequest = {}) {
  return send(port, '/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...request,
  });
}

export function callTool(port: number, name: string, args: object, headers: Record<string, string> = {}) {
  const params = { name, arguments: args };
  return postToMcp(port, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { headers });
}

/** Sends bytes that need not be HTTP. Resolves with what is received until the server closes. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

export function codeOf(answer: HttpAnswer): string {
  return (JSON.parse(answer.text) as { error: { code: string } }).error.code;
}
