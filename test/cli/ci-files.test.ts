import { Command } from 'commander';
import t from 'tap';
import { COMMENT_MARKER } from '../../src/cli/report/markdown.js';
import { SCAN_FORMATS } from '../../src/cli/report/formats.js';
import { defineScanCommand } from '../../src/cli/scan-command.js';
import { PROGRAM } from '../../src/scanner/report/program.js';
import { readAction, readComponent, readWorkflow, scriptOf } from '../support/ci-files.js';

const action = readAction();
const workflow = readWorkflow();
const SCRIPTS = { 'the action': scriptOf('Scan'), 'the component': readComponent().job.script.join('\n') };

for (const [file, script] of Object.entries(SCRIPTS)) {
  t.test(`${file}: every option that it uses is there`, async (t) => {
    const known = defineScanCommand(new Command()).options.map(({ long }) => String(long));
    const used = script
      .split('\n')
      .filter((line) => /\bset --/.test(line))
      .flatMap((line) => line.match(/--[a-z][a-z-]*/g) ?? []);
    t.ok(used.length >= 3, used.join(' '));
    for (const option of used) t.ok(known.includes(option), option);
    t.match(
      script,
      /agent-readiness-scan" scan "\$@" -- "\$SITE_URL"/,
      'an address that begins with - is not an option',
    );
    const format = /--format (\w+)/.exec(script)?.[1] ?? '';
    t.ok(format in SCAN_FORMATS, format);
  });
}

t.test('both install the package that their input names', async (t) => {
  t.match(action.inputs.package, { required: true });
  t.notOk('default' in (action.inputs.package ?? {}));
  t.notOk('default' in (readComponent().inputs.package ?? {}), 'required, since it has no default');
  t.match(SCRIPTS['the action'], `from "${PROGRAM}"`);
});

t.test('the workflow finds its comment by the marker', async (t) => {
  t.match(scriptOf('Comment on the pull request'), `startswith("${COMMENT_MARKER}")`);
});

t.test('actions are pinned to a commit, rights are few, no expression is in a script', async (t) => {
  const { scan, preview } = workflow.jobs;
  t.same(workflow.permissions, { actions: 'read', contents: 'read' });
  t.notOk(scan.permissions, 'no comment is written there');
  t.equal(scan.steps.at(-1)?.with?.comment, 'false');
  t.same(preview.permissions, { actions: 'read', contents: 'read', 'pull-requests': 'write' });
  for (const { uses, run } of [...scan.steps, ...preview.steps, ...action.runs.steps]) {
    if (uses !== undefined) t.match(uses, /^(actions\/[\w-]+@[0-9a-f]{40}|\.\/\.github\/actions\/agent-readiness)$/);
    t.notMatch(run ?? '', /\$\{\{/);
  }
  for (const line of readComponent().job.script) t.notMatch(line, /\$\[\[/);
});

t.test(
  'the earlier report is of this repository, and of the default branch or the deployment of a commit',
  async (t) => {
    const script = scriptOf('Fetch the report of the last good scan of the default branch');
    t.match(script, '.head_repository_id == .repository_id');
    t.match(script, '(.head_branch // "" | . == "" or . == env.BRANCH)');
  },
);

t.test('the workflow takes the action and the scanner from the default branch', async (t) => {
  for (const { steps } of Object.values(workflow.jobs)) {
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    t.equal(checkout?.with?.ref, '${{ github.event.repository.default_branch }}');
  }
});

t.test('the workflow gives the action inputs that it has', async (t) => {
  for (const { steps } of Object.values(workflow.jobs)) {
    const given = steps.find(({ uses }) => uses?.startsWith('./'))?.with ?? {};
    t.ok(Object.keys(given).includes('package'));
    for (const name of Object.keys(given)) t.ok(name in action.inputs, name);
  }
});
