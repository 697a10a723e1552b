import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { buildProgram, runCli } from '../../../playground/program.ts';
import { completionScript } from '../../../src/cli/completion-script.ts';
import { fakeContext } from '../../support/cli-context.ts';

const program = await buildProgram(fakeContext().context);

/** What bash completes once it has loaded the script. */
function completed(...words: readonly string[]): readonly string[] {
  const script = `${completionScript(program, 'bash')}
COMP_WORDS=(lockstep "$@"); COMP_CWORD=$#; _lockstep_completion; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.trim().split('\n');
}

it('bash completes verbs, their sub-verbs, choices and options', () => {
  expect(completed('in')).toEqual(['inbox']);
  expect(completed('inbox', 're')).toEqual(['retry']);
  expect(completed('inbox', 'retry', '--al')).toEqual(['--all']);
  expect(completed('mapping', 's')).toEqual(['show', 'schema']);
  expect(completed('status', '--')).toEqual(expect.arrayContaining(['--json', '--tenant', '--watch']));
  expect(completed('')).toEqual(expect.arrayContaining(program.commands.map((command) => command.name())));
});

it.each(['bash', 'zsh', 'fish'] as const)('%s has every verb, and is printed by its verb', async (shell) => {
  const { context, out } = fakeContext();
  expect(await runCli(['completion', shell], context)).toBe(0);
  for (const command of program.commands) expect(out.join('\n')).toContain(command.name());
});

it('zsh reads it by its own loader of bash completions; fish has a condition a sub-verb', () => {
  expect(completionScript(program, 'zsh')).toMatch(/^autoload -U \+X bashcompinit/);
  expect(completionScript(program, 'fish')).toContain(
    "complete -c lockstep -n '__fish_seen_subcommand_from inbox; and not __fish_seen_subcommand_from retry correct' -f -a 'retry'",
  );
});
