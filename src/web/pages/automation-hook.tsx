import { DEPLOY_WAIT_S, type DeployHook } from '../../app/automation/deploy-hooks.js';
import { DAILY_RUNS } from '../../app/limits/limits.js';
import type { Site } from '../../app/sites/site.js';
import { ActionButton, AddressFold, Group, Tabs } from '../html/sections.js';
import { HostName } from '../html/page-header.js';
import { Snippet, Time } from '../html/text.js';
import type { Page } from '../server/page.js';
import { oneTimeSecretPage } from '../server/standard-pages.js';
import { addressOf } from '../server/paths.js';

/** Name of the environment variable and the repository secret with the address. */
const SECRET_NAME = 'AGENT_READINESS_HOOK';

/** The score below which a pipeline fails. */
const BAR = 90;

/** Long enough for most deployments to be live everywhere. */
const WAIT_S = 30;

export function DeployHookSection({ siteId, hook }: { readonly siteId: string; readonly hook: DeployHook | null }) {
  const lastUse = hook?.lastUsedAt ? (
    <span>
      last called <Time at={hook.lastUsedAt} />
    </span>
  ) : (
    `${hook ? 'never called' : 'no address'} yet`
  );
  return (
    <Group title="After a deployment" meaning={lastUse} id="hook">
      <p>
        For developers: your deployment calls a secret address when a release is live, and a run shows what the release
        broke. The address needs no API key. It can only start runs of this site and show its latest score and failed
        checks. Calls in quick succession share one run. At most {DAILY_RUNS.POST_DEPLOY} runs start a day.
      </p>
      {hook ? (
        <>
          <HookUse />
          <AddressFold
            title="Lost the address? Replace or remove it"
            renew={[addressOf.hook(siteId), 'Create a new address']}
            end={[addressOf.removeHook(siteId), 'Remove the address']}
          >
            The address was shown once, <Time at={hook.createdAt} />. If you replace or remove it, it stops working at
            once and permanently, so update your deployment.
          </AddressFold>
        </>
      ) : (
        <ActionButton action={addressOf.hook(siteId)} kind="quiet" label="Create deploy hook" />
      )}
    </Group>
  );
}

function HookUse() {
  return (
    <>
      <Tabs
        label="Caller"
        name="hook"
        panels={[
          [
            'Script',
            <>
              <p>
                Put the address into the environment variable <code>{SECRET_NAME}</code>. The script needs{' '}
                <code>jq</code>, and <code>curl</code> 7.76 or newer:
              </p>
              <Snippet text={pipelineScript('$(git rev-parse HEAD)')} label="Script that calls the deploy hook" />
            </>,
          ],
          [
            'GitHub Actions',
            <>
              <p>
                Store the address as the secret <code>{SECRET_NAME}</code> of the repository, and add this after the
                step that deploys. A self-hosted runner needs <code>jq</code>, and <code>curl</code> 7.76 or newer.
              </p>
              <Snippet text={workflowStep()} label="Step for GitHub Actions" />
            </>,
          ],
          [
            'Netlify, Vercel',
            <p>
              Add an outgoing webhook for successful deployments, and give it the address. We ignore the body of its
              requests.
            </p>,
          ],
        ]}
      />
      <p class="hint">
        <code>wait</code> is the time until the new version is live, in seconds: 0 to {DEPLOY_WAIT_S.max}, or{' '}
        {DEPLOY_WAIT_S.default} if you leave it out. <code>commit</code> and <code>label</code> name the run in your
        history. The script fails if the score is below <code>BAR</code>, or if there is no score. A GET request to the
        same address returns the latest run and its failures.
      </p>
    </>
  );
}

/** Calls the hook, waits for the run, names its failures, and fails if a condition is not met. @param commit the shell expression for the commit */
function pipelineScript(commit: string): string {
  return `BAR=${BAR}
started=$(curl -sS --fail-with-body -X POST "$${SECRET_NAME}?wait=${WAIT_S}&commit=${commit}") || { echo "$started"; exit 1; }
after=$(echo "$started" | jq .after)
for try in $(seq 60); do
  sleep 10
  status=$(curl -fsS "$${SECRET_NAME}" || echo null)
  echo "$status" | jq -e ".latest.number > $after" > /dev/null && break
done
echo "$status" | jq -r '"Score: \\(.latest.score)", (.latest.failures[]? | "\\(.checkId) \\(.headline)")'
echo "$status" | jq -e ".latest.number > $after and .latest.score >= $BAR"`;
}

function workflowStep(): string {
  return `- name: Check agent readiness once this is live
  run: |
${pipelineScript('$GITHUB_SHA').replaceAll(/^/gm, '    ')}
  env:
    ${SECRET_NAME}: \${{ secrets.${SECRET_NAME} }}`;
}

/** The only page that shows the address. */
export function hookCreatedPage({ id, hostname }: Site, token: string, publicUrl: string): Page {
  return oneTimeSecretPage({
    title: 'Deploy hook created',
    heading: 'Copy the address now',
    crumbs: [
      ['/sites', 'Sites'],
      [addressOf.site(id), hostname],
      [addressOf.automation(id), 'Automation'],
    ],
    intro: (
      <>
        <b>
          The deploy hook of <HostName name={hostname} /> is ready.
        </b>{' '}
        Each call to this address starts a run. Anyone with it can start runs of the site and see its latest score and
        failed checks. We keep no copy: if you lose it, create a new one.
      </>
    ),
    secret: `${publicUrl}/hooks/deploy/${token}`,
    label: 'Address of the deploy hook',
    noun: 'address',
    doneHref: addressOf.automation(id),
    children: (
      <Group title="Call it" meaning="after each deployment">
        <HookUse />
      </Group>
    ),
  });
}
