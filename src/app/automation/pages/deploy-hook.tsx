import type { JSX } from 'preact';
import { DAILY_RUNS } from '../../limits/daily-runs.js';
import { describeLabel } from '../../runs/run-label.js';
import type { RunSummary } from '../../runs/run-lines.js';
import { DEPLOY_WAIT_S, type DeployHook } from '../deploy-hooks.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Icon } from '../../../web/kit/components/icons.js';
import { Group } from '../../../web/kit/components/mast.js';
import { ScoreFigure } from '../../../web/kit/components/score-figure.js';
import { Tabs } from '../../../web/kit/components/tabs.js';
import { Snippet, Time } from '../../../web/kit/components/text.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { callLine, SECRET_NAME, workflowStep } from './hook-snippets.js';
import { AddressFold } from '../../../web/kit/components/fold.js';

export interface DeployHookSectionProps {
  readonly siteId: string;
  readonly hook: DeployHook | null;
  /** The last runs that calls of it started, the newest first. */
  readonly started: readonly RunSummary[];
  readonly now: Date;
}

/** The address that a deployment calls, so that the site runs as soon as the new version is live. */
export function DeployHookSection({ siteId, hook, started, now }: DeployHookSectionProps): JSX.Element {
  return (
    <Group title="After a deployment" meaning={<LastUse hook={hook} now={now} />} id="hook">
      <p>
        Your deployment calls a secret address when a release is live, and a run shows what the release broke. It needs
        no API key, and can only start runs of this site and tell how they went. Calls close together make one run, up
        to {DAILY_RUNS.POST_DEPLOY} a day.
      </p>
      {hook ? (
        <LiveHook {...{ siteId, hook, started, now }} />
      ) : (
        <ActionButton action={addressOf.hook(siteId)} kind="quiet">
          Create deploy hook
        </ActionButton>
      )}
    </Group>
  );
}

function LastUse({ hook, now }: Pick<DeployHookSectionProps, 'hook' | 'now'>): JSX.Element {
  if (hook === null) return <>no address yet</>;
  return hook.lastUsedAt === null ? (
    <>never called yet</>
  ) : (
    <span>
      last called <Time at={hook.lastUsedAt} now={now} />
    </span>
  );
}

function LiveHook({ siteId, hook, started, now }: DeployHookSectionProps & { readonly hook: DeployHook }): JSX.Element {
  return (
    <>
      <HookUse />
      {started.length > 0 && (
        <>
          <h3 class="more">Runs it started last</h3>
          <ul class="items">
            {started.map(({ number, score, finishedAt, label }) => (
              <li key={number}>
                <Icon name="play" />
                <span>
                  <a href={addressOf.run(siteId, number)}>Run {number}</a>{' '}
                  <span class="soft small">
                    <Time at={finishedAt} now={now} />
                    {label && `, ${describeLabel(label)}`}
                  </span>
                </span>
                <b class="num">
                  <ScoreFigure score={score} />
                </b>
              </li>
            ))}
          </ul>
        </>
      )}
      <AddressFold
        title="Lost the address? Replace or remove it"
        renew={[addressOf.hook(siteId), 'Make a new address']}
        end={[addressOf.removeHook(siteId), 'Remove the address']}
      >
        It was shown once, when it was made: <Time at={hook.createdAt} now={now} />. Replaced or removed, it stops
        working at once, and cannot be brought back: your deployment needs the new one, or no longer calls any.
      </AddressFold>
    </>
  );
}

/** How the address is called: from a terminal, from a workflow, whose secret holds it, and by those who host the site. */
export function HookUse(): JSX.Element {
  return (
    <>
      <Tabs
        label="Where it is called from"
        name="hook"
        panels={[
          ['Script', <FromScript />],
          ['GitHub Actions', <FromWorkflow />],
          ['Netlify, Vercel', <FromHost />],
        ]}
      />
      <p class="hint">
        <code>wait</code> is the time until the new version is live, in seconds: 0 to {DEPLOY_WAIT_S.max}, or{' '}
        {DEPLOY_WAIT_S.standard} if you leave it out. <code>commit</code> and <code>label</code> name the run in your
        history; alerts name the commit alone, by the first digits of its hash. The answer comes at once; ask the same
        address by GET to hear how the run went.
      </p>
    </>
  );
}

function FromScript(): JSX.Element {
  return (
    <>
      <p>
        With the address in the environment as <code>{SECRET_NAME}</code>:
      </p>
      <Snippet text={callLine(`$${SECRET_NAME}`)} label="Command that calls the deploy hook" />
    </>
  );
}

function FromWorkflow(): JSX.Element {
  return (
    <>
      <p>
        Store the address as the secret <code>{SECRET_NAME}</code> of the repository, and add this after the step that
        deploys:
      </p>
      <Snippet text={workflowStep()} label="Step for GitHub Actions" />
    </>
  );
}

/** What they send with the call is ignored. */
function FromHost(): JSX.Element {
  return (
    <p>
      Add an outgoing webhook for successful deployments, and give it the address. What else they send with the call is
      not read.
    </p>
  );
}
