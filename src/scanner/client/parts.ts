/** A step of a run, such as one kind of evidence or a control: sends its own requests and depends on other parts. */
export interface Part {
  readonly name: string;
  /** True if it requests an address that cannot exist, for comparison. */
  readonly isControl: boolean;
  /** Parts whose results it uses. */
  readonly dependencies: Set<Part>;
}

interface Started {
  readonly part: Part;
  readonly result: Promise<unknown>;
}

/** Starts each part of a run once and shares its result. */
export class Parts {
  readonly #started = new Map<string, Started>();

  /** Returns the result of the part with this name. @param caller the part that uses it, or null */
  once<T>(
    name: string,
    caller: Part | null,
    start: (part: Part) => Promise<T>,
    { isControl = false } = {},
  ): Promise<T> {
    let started = this.#started.get(name);
    if (!started) {
      const part: Part = { name, isControl, dependencies: new Set() };
      started = { part, result: start(part) };
      this.#started.set(name, started);
    }
    caller?.dependencies.add(started.part);
    // A name always means the same part.
    return started.result as Promise<T>;
  }

  /** Returns the started parts with these names. */
  named(names: readonly string[]): Part[] {
    return names.flatMap((name) => this.#started.get(name)?.part ?? []);
  }
}
