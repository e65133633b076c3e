import { parse, parseAllDocuments } from 'yaml';
import { readProject } from './project.js';

type Texts = Readonly<Record<string, string>>;
interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Texts;
}
type Inputs = Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
interface Job {
  readonly permissions?: Texts;
  readonly steps: readonly Step[];
}

/** The workflow for GitHub Actions that users copy. */
export function readWorkflow() {
  const workflow: unknown = parse(readProject('deploy/github-actions.yaml'));
  return workflow as { readonly permissions: Texts; readonly jobs: Readonly<Record<'scan' | 'preview', Job>> };
}

/** The action that it uses. */
export function readAction() {
  const action: unknown = parse(readProject('deploy/github-action/action.yaml'));
  return action as { readonly inputs: Inputs; readonly runs: Job };
}

export function scriptOf(name: string): string {
  const script = readAction().runs.steps.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`no step "${name}" has a script`);
  return script;
}

/** The component for GitLab: its inputs, and its job. */
export function readComponent() {
  const [header, body] = parseAllDocuments(readProject('deploy/gitlab.yml')).map((one) => one.toJS() as unknown);
  const { spec } = header as { readonly spec: { readonly inputs: Inputs } };
  const jobs = body as {
    readonly 'agent-readiness': { readonly variables: Texts; readonly script: readonly string[] };
  };
  return { inputs: spec.inputs, job: jobs['agent-readiness'] };
}
