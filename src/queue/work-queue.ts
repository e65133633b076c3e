import type { Work } from './work.js';

/** Work that waits in memory: of each kind and key the piece that was added last. */
export class WorkQueue {
  readonly #latest = new Map<string, Work>();
  readonly #due = new Heap<Work>((a, b) => a.priority - b.priority || a.notBefore.getTime() - b.notBefore.getTime());
  readonly #later = new Heap<Work>((a, b) => a.notBefore.getTime() - b.notBefore.getTime());

  add(work: Work): void {
    this.#latest.set(nameOf(work), work);
    this.#later.push(work);
  }

  /** Takes out what is due and goes first: the lowest priority, and of these the one that has been due the longest. */
  take(now: Date): Work | undefined {
    for (let work = this.#later.first; work && work.notBefore <= now; work = this.#later.first) {
      this.#later.pop();
      if (this.#isLatest(work)) this.#due.push(work);
    }
    for (let work = this.#due.pop(); work; work = this.#due.pop()) {
      if (!this.#isLatest(work)) continue;
      this.#latest.delete(nameOf(work));
      return work;
    }
    return undefined;
  }

  /** When the next piece that is not due yet becomes so: at the earliest. */
  get nextDue(): Date | undefined {
    return this.#later.first?.notBefore;
  }

  #isLatest(work: Work): boolean {
    return this.#latest.get(nameOf(work)) === work;
  }
}

/** Names work among all kinds. A kind holds no space. */
export function nameOf({ kind, key }: Pick<Work, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

/** A binary heap: the least on top. */
class Heap<T> {
  readonly #items: T[] = [];

  constructor(private readonly compare: (a: T, b: T) => number) {}

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.compare(items[parent] as T, item) <= 0) break;
      items[index] = items[parent] as T;
      index = parent;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last !== undefined && items.length > 0) this.#sink(last);
    return top;
  }

  /** Puts the item in the place of the top, and from there down to its own. */
  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      if (left >= items.length) break;
      const isRightLess = right < items.length && this.compare(items[right] as T, items[left] as T) < 0;
      const child = isRightLess ? right : left;
      if (this.compare(item, items[child] as T) <= 0) break;
      items[index] = items[child] as T;
      index = child;
    }
    items[index] = item;
  }
}
