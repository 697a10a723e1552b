import { spawn } from 'node:child_process';

export type ProgramResult = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type ProgramOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
};

/** Runs a program to its end or its time limit. Rejects when it cannot be started. */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd, env, limitMs }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const read: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      read[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...read }));
  });
}
