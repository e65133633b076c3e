/** Whether the process still takes on work. The server's close sets it; readiness, new runs and keep-alive look at it. */
export class Lifecycle {
  #isStopping = false;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  stop(): void {
    this.#isStopping = true;
  }
}
