/** The secret of a repository that holds the hook's address, and the variable that a script reads it from. */
export const SECRET_NAME = 'AGENT_READINESS_HOOK';

/** Long enough for most deployments to be live everywhere. */
const WAIT_S = 30;

/** Where the hook of this token is called. */
export function hookUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/hooks/deploy/${token}`;
}

/** The line for a terminal. @param commit what the shell puts in for the deployment's commit */
export function callLine(address: string, commit = '$(git rev-parse HEAD)'): string {
  return `curl -fsS -X POST "${address}?wait=${WAIT_S}&commit=${commit}"`;
}

/** A step of a workflow. The deployment is done before it: a failed call does not fail the step. */
export function workflowStep(): string {
  return `- name: Check agent readiness once this is live
  run: ${callLine(`$${SECRET_NAME}`, '$GITHUB_SHA')}
  env:
    ${SECRET_NAME}: \${{ secrets.${SECRET_NAME} }}
  continue-on-error: true`;
}
