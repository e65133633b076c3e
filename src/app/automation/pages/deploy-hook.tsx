import type { JSX } from 'preact';
import { DAILY_RUNS } from '../../limits/daily-runs.js';
import { DEPLOY_WAIT_S, type DeployHook } from '../deploy-hooks.js';
import { ActionButton } from '../../../web/kit/components/form.js';
import { Snippet, Time } from '../../../web/kit/components/text.js';
import { addressOf } from '../../sites/pages/addresses.js';
import { callLine, SECRET_NAME, workflowStep } from './hook-snippets.js';

export interface DeployHookSectionProps {
  readonly siteId: string;
  readonly hook: DeployHook | null;
  readonly now: Date;
}

/** The address that a deployment calls, so that the site runs as soon as the new version is live. */
export function DeployHookSection({ siteId, hook, now }: DeployHookSectionProps): JSX.Element {
  return (
    <section>
      <h2>Deploy hook</h2>
      <p>
        A secret address that your deployment calls when it is done: the site runs as soon as the new version is live,
        so that what it broke shows at once. Several calls close together make one run, up to {DAILY_RUNS.POST_DEPLOY}{' '}
        runs a day. It needs no API key.
      </p>
      {hook ? (
        <LiveHook siteId={siteId} hook={hook} now={now} />
      ) : (
        <ActionButton action={addressOf.hook(siteId)}>Make the address</ActionButton>
      )}
    </section>
  );
}

function LiveHook({ siteId, hook, now }: { siteId: string; hook: DeployHook; now: Date }): JSX.Element {
  const { createdAt, lastUsedAt } = hook;
  return (
    <>
      <dl>
        <dt>Made</dt>
        <dd>
          <Time at={createdAt} now={now} />
        </dd>
        <dt>Last used</dt>
        <dd>{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} now={now} />}</dd>
      </dl>
      <HookUse line={callLine(`$${SECRET_NAME}`)} />
      <details>
        <summary>Replace or remove the address</summary>
        <p>
          The address that is in use stops working at once, and cannot be brought back: your deployment needs the new
          one in its place, or no longer calls any.
        </p>
        <div class="row">
          <ActionButton action={addressOf.hook(siteId)} kind="quiet">
            Make a new address
          </ActionButton>
          <ActionButton action={addressOf.removeHook(siteId)} kind="danger">
            Remove the address
          </ActionButton>
        </div>
      </details>
    </>
  );
}

/** How the address is called: from a terminal, and from a workflow, whose secret holds it. */
export function HookUse({ line }: { readonly line: string | null }): JSX.Element {
  return (
    <>
      {line !== null && (
        <>
          <h3>From a script</h3>
          <p>
            With the address in the environment as <code>{SECRET_NAME}</code>:
          </p>
          <Snippet text={line} label="Command that calls the deploy hook" />
        </>
      )}
      <h3>From GitHub Actions</h3>
      <p>
        Store the address as the secret <code>{SECRET_NAME}</code> of the repository, and add this after the step that
        deploys:
      </p>
      <Snippet text={workflowStep()} label="Step for GitHub Actions" />
      <p>
        <code>wait</code> is the number of seconds until the new version is live: 0 to {DEPLOY_WAIT_S.max},{' '}
        {DEPLOY_WAIT_S.standard} when it is left out. The answer comes at once; a GET of the same address tells how the
        run stands.
      </p>
    </>
  );
}
