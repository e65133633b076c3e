import { Command } from 'commander';
import t from 'tap';
import { COMMENT_MARKER } from '../../src/cli/report/markdown.js';
import { SCAN_FORMATS } from '../../src/cli/report/formats.js';
import { addScanCommand } from '../../src/cli/scan.js';
import { readGitlabJob, readWorkflow, scriptOf } from '../support/ci-files.js';
import { MemoryOutput } from '../support/memory-output.js';

const workflow = readWorkflow();
const SCRIPTS = {
  'github-actions.yaml': scriptOf(workflow, 'Scan'),
  'gitlab-ci.yaml': readGitlabJob().script.join('\n'),
};

function scanOptions(): readonly string[] {
  const program = new Command();
  const never = () => Promise.reject(new Error('nothing is scanned'));
  addScanCommand(never, never, new MemoryOutput())(program, never);
  return program.commands[0]!.options.map(({ long }) => String(long));
}

for (const [file, script] of Object.entries(SCRIPTS)) {
  t.test(`${file}: every option that it uses is there`, async (t) => {
    const known = scanOptions();
    const used = script
      .split('\n')
      .filter((line) => /\bset --|bin\/agent-readiness/.test(line))
      .flatMap((line) => line.match(/--[a-z][a-z-]*/g) ?? []);
    t.ok(used.length >= 3, used.join(' '));
    for (const option of used) t.ok(known.includes(option), option);
    t.match(
      script,
      /bin\/agent-readiness scan "\$@" -- "\$SITE_URL"/,
      'an address that begins with - is not an option',
    );
    const format = /--format (\w+)/.exec(script)?.[1] ?? '';
    t.ok(format in SCAN_FORMATS, format);
  });
}

t.test('github-actions.yaml: the comment is found by the marker that the report begins with', async (t) => {
  t.match(scriptOf(workflow, 'Comment on the pull request'), `startswith("${COMMENT_MARKER}")`);
});

t.test(
  'github-actions.yaml: actions are pinned to a commit, rights are few, no expression is in a script',
  async (t) => {
    t.same(workflow.permissions, { actions: 'read', contents: 'read', 'pull-requests': 'write' });
    for (const { uses, run } of workflow.jobs.scan.steps) {
      if (uses !== undefined) t.match(uses, /^actions\/[\w-]+@[0-9a-f]{40}$/);
      t.notMatch(run ?? '', /\$\{\{/);
    }
  },
);
