import { readFileSync } from 'node:fs';
import { createBackfills } from '../../src/intake/backfill.ts';
import type { Child, Stack } from '../../test/support/stack/stack.ts';

export type Sample = {
  readonly atMs: number;
  readonly phase: string;
  readonly fraction: number;
  readonly remainingSeconds: number | null;
  /** The worker's memory in MB, and which of the successive workers had it. */
  readonly heldMb: number;
  readonly life: number;
};

const POLL_MS = 1_000;

/** Kills the worker the given number of times during the backfill, and watches until the backfill has ended. */
export async function watchBackfill(
  stack: Stack,
  worker: Child,
  { kills, limitMs, tell }: { readonly kills: number; readonly limitMs: number; readonly tell: (line: string) => void },
): Promise<{ readonly samples: readonly Sample[]; readonly state: string }> {
  const backfills = createBackfills(stack.client);
  const beganMs = Date.now();
  const samples: Sample[] = [];
  let running = worker;
  let killed = 0;
  let state = 'unknown';
  for (;;) {
    await new Promise((settle) => setTimeout(settle, POLL_MS));
    const status = await backfills.status(stack.tenant).catch(() => null);
    const atMs = Date.now() - beganMs;
    if (status !== null) {
      const { phase, fraction, remainingSeconds } = status;
      state = status.isRunning ? 'running' : status.state;
      samples.push({ atMs, phase, fraction, remainingSeconds, heldMb: heldMb(running.pid), life: killed });
      if (samples.length % 30 === 1)
        tell(
          `${phase} ${(100 * fraction).toFixed(1)} %, ${status.done} of ${status.found}, ${remainingSeconds ?? '?'} s left`,
        );
      if (!status.isRunning) return { samples, state };
      if (killed < kills && fraction > (killed + 1) / (kills + 1)) {
        killed += 1;
        tell(`SIGKILL ${killed}`);
        await running.kill();
        running = await stack.startWorker();
      }
    }
    if (atMs > limitMs) return { samples, state: `${state} at the limit` };
  }
}

function heldMb(pid: number): number {
  try {
    const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kb) / 1_024);
  } catch {
    return 0;
  }
}
