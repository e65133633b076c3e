import type { JSX } from 'preact';
import { Icon } from '../html/icons.js';
import { addressOf } from '../server/site-paths.js';
import type { RunBudget } from './rail.js';

/** The button that starts a run; where the day's runs are used up it says so in words. */
export function RunNow({ siteId, budget }: { readonly siteId: string; readonly budget: RunBudget }): JSX.Element {
  const isSpent = budget.left === 0;
  return (
    <>
      {isSpent && (
        <span id="budget" class="soft small">
          All {budget.limit} runs by hand are used today. They renew at 00:00 UTC.
        </span>
      )}
      <form method="post" action={addressOf.runs(siteId)}>
        <button type="submit" disabled={isSpent} aria-describedby={isSpent ? 'budget' : undefined}>
          <Icon name="play" />
          Run now
        </button>
      </form>
    </>
  );
}
