import { parse, parseAllDocuments } from 'yaml';
import { readProject } from './project.js';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}

interface Input {
  readonly required?: boolean;
  readonly default?: string;
}

type Permissions = Readonly<Record<string, string>>;

/** The workflow for GitHub Actions that users copy. */
export interface Workflow {
  readonly permissions: Permissions;
  readonly jobs: Readonly<
    Record<'scan' | 'preview', { readonly permissions?: Permissions; readonly steps: readonly Step[] }>
  >;
}

/** The action that it uses. */
export interface Action {
  readonly inputs: Readonly<Record<string, Input>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface GitlabJob {
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
}

export function readWorkflow(): Workflow {
  return parse(readProject('deploy/github-actions.yaml')) as Workflow;
}

export function readAction(): Action {
  return parse(readProject('deploy/github-action/action.yaml')) as Action;
}

/** The script of the action's step of that name. */
export function scriptOf(name: string): string {
  const script = readAction().runs.steps.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`no step "${name}" has a script`);
  return script;
}

/** The component for GitLab: its inputs, and its job. */
export function readComponent(): { readonly inputs: Readonly<Record<string, Input>>; readonly job: GitlabJob } {
  const [header, body] = parseAllDocuments(readProject('deploy/gitlab.yml')).map((one) => one.toJS() as unknown);
  const { spec } = header as { readonly spec: { readonly inputs: Readonly<Record<string, Input>> } };
  return { inputs: spec.inputs, job: (body as { readonly 'agent-readiness': GitlabJob })['agent-readiness'] };
}
