import type { StartTimer } from '../../src/platform/timer.js';
import type { Work, WorkKind, WorkSource } from '../../src/queue/work.js';

interface StartedWork {
  readonly key: string;
  readonly at: Date;
  finish(): void;
  fail(error: Error): void;
}

/** A source whose work a test ends by hand, and whose sweeps find what the test says. */
export class HeldWork implements WorkSource {
  readonly started: StartedWork[] = [];
  /** Whether work ends as soon as it has begun. */
  isHeld = true;
  /** What the sweeps find, or how they fail. */
  swept: () => readonly Work[] = () => [];
  sweepCount = 0;
  inHand = 0;
  inHandMax = 0;
  #onChange: () => void = () => undefined;

  constructor(readonly kind: WorkKind = 'run') {}

  get keys(): string[] {
    return this.started.map(({ key }) => key);
  }

  async perform(key: string): Promise<void> {
    this.inHand += 1;
    this.inHandMax = Math.max(this.inHandMax, this.inHand);
    try {
      await new Promise<void>((resolve, reject) => {
        this.started.push({ key, at: new Date(), finish: resolve, fail: reject });
        if (!this.isHeld) resolve();
        this.#onChange();
      });
    } finally {
      this.inHand -= 1;
    }
  }

  async sweep(): Promise<readonly Work[]> {
    this.sweepCount += 1;
    return this.swept();
  }

  /** Resolves once so many pieces have begun. */
  async begun(count: number): Promise<void> {
    while (this.started.length < count) await new Promise<void>((resolve) => (this.#onChange = resolve));
  }

  /** Ends the piece of this key that began last. */
  finish(key: string): void {
    this.started.findLast((piece) => piece.key === key)?.finish();
  }

  /** Ends what is in hand, and whatever comes. */
  release(): void {
    this.isHeld = false;
    for (const piece of this.started) piece.finish();
  }
}

/** Timers that go off when a test says so. */
export class HeldTimers {
  readonly #actions = new Set<() => void>();

  readonly start: StartTimer = (action) => {
    this.#actions.add(action);
    return () => this.#actions.delete(action);
  };

  get count(): number {
    return this.#actions.size;
  }

  fire(): void {
    const actions = [...this.#actions];
    this.#actions.clear();
    for (const action of actions) action();
  }
}

interface WorkOptions {
  readonly inMs: number;
  readonly priority: number;
  readonly kind: WorkKind;
}

/** Work of the kind `run` that is due, unless said otherwise. */
export function work(key: string, { inMs = 0, priority = 0, kind = 'run' }: Partial<WorkOptions> = {}): Work {
  return { kind, key, priority, notBefore: new Date(Date.now() + inMs) };
}

/** Resolves once it is so; it is looked at whenever the event loop turns. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
