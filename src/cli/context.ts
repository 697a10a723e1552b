import { createLogger, type Logger } from '../platform/logger.ts';
import { type Environment, processEnvironment, readSettings, type Settings, showsColor } from '../platform/settings.ts';
import { visibleText } from '../platform/visible-text.ts';
import { askSecret } from './ask-secret.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { createProgress } from './progress.ts';
import { terminalLines } from './terminal-lines.ts';

/**
 * The process environment of a command: output, settings, exit code. Results go to stdout through `print` and `say`, everything else to
 * stderr. Control characters are escaped.
 */
export type CliContext = {
  readonly env: Environment;
  readonly cwd: string;
  readonly terminal: boolean;
  /** Whether stdout is a terminal. Names of deals are printed only on a terminal, because a file or a log would keep them. */
  readonly toTerminal: boolean;
  readonly print: (line: string) => void;
  /**
   * Prints one line for a human reader on stdout. On a terminal, the line is wrapped at the terminal's width, and coloured unless NO_COLOR
   * is set.
   */
  readonly say: (line: string) => void;
  /** Prints one line for a human reader on stderr, such as an error. Results go to stdout instead. */
  readonly tell: (line: string) => void;
  /**
   * Asks an operator for a secret on the terminal and does not show the typed text. Null without a terminal, or if the operator cancels.
   */
  readonly askSecret: (question: string) => Promise<string | null>;
  /** Clears the screen if stdout is a terminal. */
  readonly clear: () => void;
  /** Shows progress on stderr: as one changing line on a terminal, elsewhere at most one line in ten seconds. */
  readonly progress: (text: string) => void;
  /** The settings, read at the first call, so that `--help` works even if the environment is invalid. Throws `SettingsError`. */
  readonly settings: () => Settings;
  readonly log: (component: string) => Logger;
  /** The exit code of the command, unless it ends with an error. */
  exitCode: ExitCode;
};

const CLEAR_SCREEN = '\u001b[H\u001b[2J';

export function processContext(): CliContext {
  const env = processEnvironment();
  const cwd = process.cwd();
  const terminal = process.stderr.isTTY === true;
  const settings = () => readSettings(env, { cwd, terminal });
  return {
    env,
    cwd,
    terminal,
    toTerminal: process.stdout.isTTY === true,
    print: (line) => void process.stdout.write(`${visibleText(line)}\n`),
    say: (line) => {
      const { isTTY, columns } = process.stdout;
      const style = { width: columns, color: showsColor(env, isTTY) };
      const text = visibleText(line);
      const lines = isTTY === true ? terminalLines(text, style) : [text];
      for (const one of lines) process.stdout.write(`${one}\n`);
    },
    tell: (line) => void process.stderr.write(`${visibleText(line)}\n`),
    askSecret: (question) => askSecret(question, { input: process.stdin, output: process.stderr }),
    clear: () => {
      if (process.stdout.isTTY) process.stdout.write(CLEAR_SCREEN);
    },
    progress: createProgress(terminal, (text) => void process.stderr.write(text)),
    settings,
    log: (component) => {
      const { logLevel, logFormat, color } = settings();
      return createLogger({ level: logLevel, format: logFormat, component, color });
    },
    exitCode: EXIT.done,
  };
}
