import { openInspector } from '../../test/support/inspector.ts';
import type { CpuProfile } from './parts.ts';

/** Microseconds between two samples: short enough to see a function of a tenth of a millisecond, and without a noticeable slow-down. */
const INTERVAL_US = 500;

/** Samples each thread of a process during `work`; the main thread comes first. */
export async function sampled(address: string, work: () => Promise<void>): Promise<readonly CpuProfile[]> {
  const { threads, close } = await openInspector(address);
  for (const thread of threads) {
    await thread.ask('Profiler.enable');
    await thread.ask('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await thread.ask('Profiler.start');
  }
  await work();
  const profiles: CpuProfile[] = [];
  for (const thread of threads) {
    const { profile } = await thread.ask('Profiler.stop');
    profiles.push(profile as CpuProfile);
  }
  close();
  return profiles;
}
