import { parse } from 'yaml';
import { readProject } from './project.js';

interface WorkflowStep {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
}

export interface Workflow {
  readonly permissions: Record<string, string>;
  readonly env: Record<string, string>;
  readonly jobs: { readonly scan: { readonly steps: readonly WorkflowStep[] } };
}

export interface GitlabJob {
  readonly variables: Record<string, string>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
}

function readYaml(name: string): unknown {
  return parse(readProject(`deploy/${name}`));
}

/** The workflow for GitHub Actions that users copy. */
export function readWorkflow(): Workflow {
  return readYaml('github-actions.yaml') as Workflow;
}

/** The job for GitLab CI that users copy. */
export function readGitlabJob(): GitlabJob {
  return (readYaml('gitlab-ci.yaml') as { readonly 'agent-readiness': GitlabJob })['agent-readiness'];
}

/** The script of the step of that name. */
export function scriptOf(workflow: Workflow, name: string): string {
  const script = workflow.jobs.scan.steps.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`no step "${name}" has a script`);
  return script;
}
