import { connect } from 'node:net';

/** What a person reads: the page without its markup. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,:;)])/g, '');
}

/** A stream of events as it comes over the wire. */
export async function openStream(port: number, path: string, cookie: string) {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: test\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`);
  let text = '';
  let onData: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    onData();
  });
  const ended = new Promise<string>((resolve) => socket.on('end', () => resolve(text)));
  const heard = async (word: string): Promise<string> => {
    while (!text.includes(word)) await new Promise<void>((resolve) => (onData = resolve));
    return text;
  };
  return { heard, ended };
}
