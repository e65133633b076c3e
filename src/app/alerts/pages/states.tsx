import type { JSX } from 'preact';
import type { Delivery } from '../webhooks.js';

const LOOKS: Readonly<Record<Delivery['state'], readonly [className: string, shape: string, word: string]>> = {
  waiting: ['undetermined', '…', 'Waiting'],
  delivered: ['pass', '✓', 'Delivered'],
  failed: ['fail', '✕', 'Given up'],
};

/** The state of a message, as shape and word: colour alone is not enough. */
export function DeliveryState({ state }: { readonly state: Delivery['state'] }): JSX.Element {
  const [className, shape, word] = LOOKS[state];
  return <State {...{ className, shape, word }} />;
}

/** Whether messages are sent to a webhook. */
export function WebhookState({ isInUse }: { readonly isInUse: boolean }): JSX.Element {
  return isInUse ? (
    <State className="pass" shape="✓" word="In use" />
  ) : (
    <State className="not-applicable" shape="–" word="Turned off" />
  );
}

function State(props: { readonly className: string; readonly shape: string; readonly word: string }): JSX.Element {
  const { className, shape, word } = props;
  return (
    <span class={`result ${className}`}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}
