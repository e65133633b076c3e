interface Call {
  readonly call: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

interface Answer {
  readonly call: number;
  readonly value: unknown;
}

export type Message = Call | Answer;

type Functions<Names extends PropertyKey> = Readonly<Record<Names, (...args: never[]) => unknown>>;

/**
 * Calls functions of another thread by messages, and answers its calls. Arguments and results are copied, see `structuredClone`. No
 * function may reject: an error would lose its class and fields on the way.
 */
export class Peer<Theirs extends Functions<keyof Theirs>> {
  readonly #open = new Map<number, (value: never) => void>();
  #calls = 0;

  constructor(
    private readonly post: (message: Message) => void,
    private readonly ours: object,
  ) {}

  /** Resolves with what the function returns; never, if the other thread ends before. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    this.#calls += 1;
    const call = this.#calls;
    return new Promise((resolve) => {
      this.post({ call, name, args });
      this.#open.set(call, resolve);
    });
  }

  /** Handles a message of the other thread. */
  async receive(message: Message): Promise<void> {
    const { call } = message;
    if ('name' in message) {
      const called = (this.ours as Functions<string>)[message.name] as (...args: readonly unknown[]) => unknown;
      this.post({ call, value: await called(...message.args) });
    } else {
      this.#open.get(call)?.(message.value as never);
      this.#open.delete(call);
    }
  }
}
