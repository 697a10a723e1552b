import type { CliContext } from '../../src/cli/context.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { readSettings } from '../../src/platform/settings.ts';

/** A CLI context that records its output, in an empty environment. */
export function fakeContext(env: Record<string, string> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const all = { LOCKSTEP_HOME: '/nowhere/lockstep', ...env };
  const context: CliContext = {
    env: all,
    cwd: '/nowhere',
    terminal: false,
    toTerminal: false,
    print: (line) => void out.push(line),
    say: (line) => void out.push(line),
    tell: (line) => void err.push(line),
    askSecret: async () => null,
    clear: () => {},
    progress: () => {},
    settings: () => readSettings(all, { cwd: '/nowhere', terminal: false }),
    log: () => silentLogger,
    exitCode: 0,
  };
  return { context, out, err };
}
