/** Sends a command of WebDriver BiDi, and resolves with its result. */
export type Command = <T>(method: string, parameters: object) => Promise<T>;

interface Answer {
  readonly id: number | null;
  readonly result?: unknown;
  readonly message?: string;
}

/** Speaks WebDriver BiDi (W3C), which is JSON over a web socket, in a session of its own. */
export async function connectBidi(url: string): Promise<Command> {
  const socket = new WebSocket(`${url}/session`);
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  const send: Command = <T>(method: string, params: object) =>
    new Promise<T>((resolve, reject) => {
      last += 1;
      waiting.set(last, ({ result, message }) => {
        if (result === undefined) reject(new Error(`${method}: ${message ?? 'no result'}`));
        else resolve(result as T);
      });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    const answered = answer.id === null ? undefined : waiting.get(answer.id);
    answered?.(answer);
    if (answer.id !== null) waiting.delete(answer.id);
  });
  socket.addEventListener('close', () => {
    for (const [id, answered] of waiting) answered({ id, message: 'the browser went' });
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`nothing answers at ${url}`)));
  });
  await send('session.new', { capabilities: {} });
  return send;
}
