/** A part of a run, such as one kind of evidence, or a control: it asks for things itself, and builds on other parts. */
export interface Part {
  readonly name: string;
  /** It asks for an address that cannot exist, to compare with. */
  readonly isControl: boolean;
  /** The parts that it builds on. */
  readonly basis: Set<Part>;
}

interface Started {
  readonly part: Part;
  readonly result: Promise<unknown>;
}

/** The parts of a run, each started once for all who need it. */
export class Parts {
  readonly #started = new Map<string, Started>();

  /** The result of the part of this name. @param asker the part that builds on it; null where none does */
  once<T>(name: string, asker: Part | null, start: (part: Part) => Promise<T>, { isControl = false } = {}): Promise<T> {
    let started = this.#started.get(name);
    if (!started) {
      const part: Part = { name, isControl, basis: new Set() };
      started = { part, result: start(part) };
      this.#started.set(name, started);
    }
    asker?.basis.add(started.part);
    // A name always stands for the same part.
    return started.result as Promise<T>;
  }

  /** Those of these names that were started. */
  named(names: readonly string[]): Part[] {
    return names.flatMap((name) => this.#started.get(name)?.part ?? []);
  }
}
