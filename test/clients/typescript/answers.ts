/** What the programs of both generators do with an answer. */

/** What a generated client returns for each call: what was read, as the status has it. */
interface Answer<Data> {
  readonly data?: Data | undefined;
  readonly error?: { readonly error: { readonly code: string } } | undefined;
  readonly response?: Response | undefined;
}

/** As the generated types have to have it. */
interface Run {
  readonly number: number;
  readonly score: number | null;
  readonly trigger: 'MANUAL' | 'SCHEDULED' | 'POST_DEPLOY' | 'API';
}

export function env(name: string): string {
  return process.env[name] ?? '';
}

export function say(call: string, { response }: Answer<unknown>, read: object): void {
  console.log(JSON.stringify({ call, status: response?.status, ...read }));
}

export function runOf({ data }: Answer<{ readonly run: Run }>): Run {
  if (!data) throw new Error('no run');
  return data.run;
}

export function refused(call: string, answer: Answer<unknown>): void {
  if (!answer.error) throw new Error(`${call} is not refused`);
  say(call, answer, { code: answer.error.error.code });
}
