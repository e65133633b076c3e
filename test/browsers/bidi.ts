import { once } from 'node:events';

/** Sends a command of WebDriver BiDi, and resolves with its result. */
export type Command = <T>(method: string, parameters: object) => Promise<T>;

/** Speaks WebDriver BiDi (W3C), which is JSON over a web socket, in a session of its own. */
export async function connectBidi(url: string): Promise<Command> {
  const socket = new WebSocket(`${url}/session`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  let last = 0;
  const send: Command = <T>(method: string, params: object) =>
    new Promise<T>((resolve, reject) => {
      const id = (last += 1);
      const hear = ({ data }: MessageEvent): void => {
        const answer = JSON.parse(String(data)) as { id: number | null; result?: T; message?: string };
        if (answer.id !== id) return;
        socket.removeEventListener('message', hear);
        if (answer.result === undefined) reject(new Error(`${method}: ${answer.message ?? 'no result'}`));
        else resolve(answer.result);
      };
      socket.addEventListener('message', hear);
      void closed.then(() => reject(new Error(`${method}: the browser ended`)));
      socket.send(JSON.stringify({ id, method, params }));
    });
  await send('session.new', { capabilities: {} });
  return send;
}
