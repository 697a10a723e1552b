import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion-script.ts';
import type { CliContext } from '../context.ts';

const EXAMPLE = `
Examples:
  lockstep completion bash      load it in ~/.bashrc: source <(lockstep completion bash)
  lockstep completion zsh       the same in ~/.zshrc, after compinit
  lockstep completion fish      save it as ~/.config/fish/completions/lockstep.fish`;

/** `lockstep completion <shell>`: prints the script with which a shell completes this program's commands. */
export function addCompletion(program: Command, context: CliContext): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', EXAMPLE)
    .action((shell: Shell) => {
      for (const line of completionScript(program, shell).split('\n')) context.print(line);
    });
}
