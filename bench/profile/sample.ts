import { openInspector } from '../../test/support/inspector.ts';
import type { CpuProfile } from './parts.ts';

/** Microseconds between two samples: fine enough for a function of a tenth of a millisecond, and little slower than without. */
const INTERVAL_US = 500;

/** Samples what each thread of a process does while `work` is under way; the main thread first. */
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
