import type { Output } from '../../src/cli/command.js';

/** An output that keeps what a command wrote. */
export class MemoryOutput implements Output {
  stdout = '';
  stderr = '';
  readonly progressLines: string[] = [];
  readonly progress: ((text: string) => void) | null;
  readonly look = { hasColour: false, isUnicode: false, columns: 80 };

  constructor({ isTerminal = false } = {}) {
    this.progress = isTerminal ? (text) => this.progressLines.push(text) : null;
  }

  data(text: string): void {
    this.stdout += text;
  }

  note(text: string): void {
    this.stderr += `${text}\n`;
  }
}
