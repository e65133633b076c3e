import type { JSX } from 'preact';
import type { Answer } from '../../scanner/artifacts/answer.js';
import { type AnswerLine, headlineOfAnswer, linesOfAnswer, TRAINING_WORDS } from '../../scanner/report/answer.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { Mark, toneOf } from './icons.js';

interface AssistantAnswerProps {
  /** Null if the run has none: shows nothing. */
  readonly answer: Answer | null;
}

export function AssistantAnswer({ answer }: AssistantAnswerProps): JSX.Element | null {
  if (answer === null) return null;
  return (
    <section class="answer" aria-labelledby="answer">
      <h2 id="answer">{headlineOfAnswer(answer)}</h2>
      <ul class="plain">
        {linesOfAnswer(answer).map((line) => (
          <Line key={line.name} {...line} />
        ))}
      </ul>
      <p class="small soft">Training of AI models: {TRAINING_WORDS[answer.training].toLowerCase()}</p>
    </section>
  );
}

const RESULTS: Readonly<Record<AnswerLine['state'], Result>> = {
  open: 'PASS',
  partly: 'FAIL',
  blocked: 'FAIL',
  unknown: 'UNDETERMINED',
};

function Line({ label, state, isTested, verdict, rest }: AnswerLine): JSX.Element {
  // Green only if the server was tested.
  const result = state === 'open' && !isTested ? 'NOT_APPLICABLE' : RESULTS[state];
  return (
    <li>
      <Mark result={result} isDecorative />
      <span>{label}</span>
      <span>
        <b class={toneOf(result)}>{verdict}</b>
        {rest}
      </span>
    </li>
  );
}
