import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * A command of the program, with the words that may follow it. `path`: the command's name, such as `inbox retry`, or '' for the program
 * itself.
 */
type Level = {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
};

/** The completion script of a commander program for a shell: verbs, subverbs, choices of arguments, and options. */
export function completionScript(program: Command, shell: Shell): string {
  const name = program.name();
  const levels = levelsOf(program, '');
  if (shell === 'fish') return fishScript(name, levels);
  const bash = bashScript(name, levels);
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function levelsOf(command: Command, path: string): readonly Level[] {
  const below = command.commands.filter((one) => one.name() !== 'help');
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, description })),
  );
  const options = command.options.flatMap(({ long, description }) =>
    long == null ? [] : [{ word: long, description }],
  );
  const words = [
    ...below.map((one) => ({ word: one.name(), description: one.description() })),
    ...choices,
    ...options,
    { word: '--help', description: 'show the help' },
  ];
  const join = (one: Command): string => (path === '' ? one.name() : `${path} ${one.name()}`);
  return [{ path, words }, ...below.flatMap((one) => levelsOf(one, join(one)))];
}

/** The completion script for bash. Where no word fits, bash completes file names, as it does for other programs. */
function bashScript(name: string, levels: readonly Level[]): string {
  const cases = levels.map(
    ({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(' '))} ;;`,
  );
  const paths = levels.map(({ path }) => quoted(path)).join('|');
  return `_${name}_completion() {
  local path='' words='' word next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    next="\${path:+$path }$word"
    case "$next" in
      ${paths}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o bashdefault -o default -F _${name}_completion ${name}`;
}

function fishScript(name: string, levels: readonly Level[]): string {
  const lines = levels.flatMap(({ path, words }) =>
    words.map(({ word, description }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${quoted(word)}`;
      return `complete -c ${name} -n ${quoted(conditionOf(path, levels))} ${what} -d ${quoted(description)}`;
    }),
  );
  return lines.join('\n');
}

/**
 * The condition under which the fish shell offers the words that may follow a command. `path`: the command's name, such as `inbox retry`.
 * The condition holds if the user has typed all words of the name, but no subcommand of this command.
 */
function conditionOf(path: string, levels: readonly Level[]): string {
  const below = levels.flatMap((level) => {
    const parent = level.path.split(' ').slice(0, -1).join(' ');
    return level.path !== '' && parent === path ? [level.path.split(' ').at(-1)] : [];
  });
  const seen = path === '' ? [] : path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const unseen = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(' ')}`];
  return [...seen, ...unseen].join('; and ') || 'true';
}

/** A word quoted for the shell, so that nothing in the word runs as a command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
