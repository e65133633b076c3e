import { AsyncLocalStorage } from 'node:async_hooks';
import { type Exchange, ExchangeLog, type ExchangeLogOptions, type TryFacts } from './exchanges.js';
import type { FetchHop } from './redirects.js';
import type { Fetched } from './visit.js';

/** A part of a run: what it asked for itself, and the parts that it built on. */
class Part {
  /** With the number of the first request that came to it: answers come in any order. */
  readonly exchanges = new Map<Exchange, number>();
  readonly basis = new Set<Part>();
  result: Promise<unknown> = Promise.resolve();

  constructor(
    readonly of: Attribution,
    readonly isControl: boolean,
  ) {}
}

/** The part that code runs in. One for the process: each further one would cost every context of it. */
const CURRENT = new AsyncLocalStorage<Part | undefined>();

export interface AttributedExchange {
  readonly exchange: Exchange;
  /** It was asked for an address that cannot exist, to compare with. */
  readonly isControl: boolean;
  /** The parts asked for it themselves, or compared with it; else something that they built on did. */
  readonly isOwn: boolean;
}

/**
 * The parts of a run, each started once for all who need it, and which exchanges each of them rests on. A request belongs to the part that
 * it was made in: whatever awaits another part builds on it, whoever started it.
 */
export class Attribution {
  readonly #parts = new Map<string, Part>();
  readonly #log: ExchangeLog | null;
  #requestCount = 0;

  /** @param log by default no exchange is remembered */
  constructor(log: ExchangeLogOptions | null = null) {
    this.#log = log && new ExchangeLog(log);
  }

  /** The result of the part of this name, which the current part builds on. */
  once<T>(name: string, start: () => Promise<T>, { isControl = false } = {}): Promise<T> {
    let part = this.#parts.get(name);
    if (!part) {
      part = new Part(this, isControl);
      part.result = this.#log ? CURRENT.run(part, start) : start();
      this.#parts.set(name, part);
    }
    this.#current?.basis.add(part);
    // A name always stands for the same part.
    return part.result as Promise<T>;
  }

  /** Looks something up that the current part does not rest on. */
  aside<T>(look: () => T): T {
    return this.#log ? CURRENT.run(undefined, look) : look();
  }

  noteTry(fetched: Fetched, facts: TryFacts): void {
    this.#log?.noteTry(fetched, facts);
  }

  /** Whoever fetches by this rests on the answer, wherever it comes from: the site or memory. */
  watching(fetchHop: FetchHop): FetchHop {
    const log = this.#log;
    if (!log) return fetchHop;
    return async (asked, isHop) => {
      const request = log.watch(asked);
      const number = (this.#requestCount += 1);
      const fetched = await fetchHop(request, isHop);
      const exchange = log.exchangeOf(request, fetched);
      const exchanges = this.#current?.exchanges;
      exchanges?.set(exchange, Math.min(number, exchanges.get(exchange) ?? Infinity));
      return fetched;
    };
  }

  /** Undefined outside of parts: a run may have been started from within a part of another one. */
  get #current(): Part | undefined {
    const part = CURRENT.getStore();
    return part?.of === this ? part : undefined;
  }

  /** What these parts rest on: first what they asked for themselves, then what they built on, each exchange once, as it was asked for. */
  exchangesOf(names: readonly string[]): AttributedExchange[] {
    const found = new Map<Exchange, AttributedExchange>();
    const own = names.flatMap((name) => this.#parts.get(name) ?? []);
    const parts = new Set(own);
    // A Set's iteration also visits what is added on the way.
    for (const part of parts) {
      const { exchanges, basis, isControl } = part;
      const isOwn = own.includes(part) || (isControl && own.some((asking) => asking.basis.has(part)));
      const asked = [...exchanges].sort(([, a], [, b]) => a - b);
      for (const [exchange] of asked) if (!found.has(exchange)) found.set(exchange, { exchange, isControl, isOwn });
      for (const other of basis) parts.add(other);
    }
    return [...found.values()];
  }
}
