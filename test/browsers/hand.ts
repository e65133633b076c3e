import type { Engine } from './engine.js';

/** How often the page is asked for what is awaited, and how many times at the most. */
const POLL_MS = 50;
const POLLS_MAX = 1800;

/** What a person does on a page, told in words that the page shows: by script, so that both engines are driven alike. */
export class Hand {
  constructor(private readonly engine: Engine) {}

  /** Waits until the expression is true. @throws where it never is */
  async see(expression: string): Promise<void> {
    for (let polls = 0; polls < POLLS_MAX; polls += 1) {
      // Between two pages there may be none to ask.
      if (await this.engine.evaluate<boolean>(`Boolean(${expression})`).catch(() => false)) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${this.engine.name} never showed: ${expression}`);
  }

  /** Presses the first button with this name, or else the first link, and waits for the page that comes of it where there is one. */
  async press(name: RegExp): Promise<void> {
    const found = `[...document.querySelectorAll('main button'), ...document.querySelectorAll('main a, main summary')].find((one) => ${String(name)}.test(one.textContent.trim()))`;
    await this.see(found);
    await this.engine.evaluate(`void setTimeout(() => ${found}.click())`);
  }

  /** Types into the field with this label. */
  async fill(label: RegExp, text: string): Promise<void> {
    const found = `[...document.querySelectorAll('label')].find((one) => ${String(label)}.test(one.textContent.trim()))?.control`;
    await this.see(found);
    await this.engine.evaluate(`((field) => void (field.value = ${JSON.stringify(text)}))(${found})`);
  }

  async seeAt(path: RegExp): Promise<void> {
    await this.see(`${String(path)}.test(location.pathname) && document.readyState === 'complete'`);
  }
}
