import { createLogger, type Logger } from '../platform/logger.ts';
import {
  type Environment,
  processEnvironment,
  readSettings,
  type Settings,
  showsColor,
} from '../platform/settings.ts';
import { visibleText } from '../platform/visible-text.ts';
import { askSecret } from './ask-secret.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { createProgress } from './progress.ts';
import { terminalLines } from './terminal-lines.ts';

/** What a verb works with. Results go to stdout through `print`, everything else to stderr; control characters are shown. */
export type CliContext = {
  readonly env: Environment;
  readonly cwd: string;
  readonly terminal: boolean;
  /** One line on stdout. */
  readonly print: (line: string) => void;
  /** One line for a person on stdout: on a terminal broken at its width, and with colours unless NO_COLOR is set. */
  readonly say: (line: string) => void;
  /** One line on stderr. */
  readonly tell: (line: string) => void;
  /** Asks on the terminal for what must not be seen; null where nobody is there, or gives up. */
  readonly askSecret: (question: string) => Promise<string | null>;
  /** Empties the screen, where stdout is a terminal. */
  readonly clear: () => void;
  /** How far long work is, on stderr: overwritten on a terminal, a line at most each ten seconds elsewhere. */
  readonly progress: (text: string) => void;
  /** Read when first needed, so that `--help` works in a bad environment. Throws `SettingsError`. */
  readonly settings: () => Settings;
  readonly log: (component: string) => Logger;
  /** What the process will exit with when the verb ends without an error. */
  exitCode: ExitCode;
};

const CLEAR_SCREEN = '\u001b[H\u001b[2J';

/** The context of the real process. */
export function processContext(): CliContext {
  const env = processEnvironment();
  const cwd = process.cwd();
  const terminal = process.stderr.isTTY === true;
  const settings = () => readSettings(env, { cwd, terminal });
  return {
    env,
    cwd,
    terminal,
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
