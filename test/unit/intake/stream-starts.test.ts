import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { expect, it } from 'vitest';
import { createStreamStarts, type StreamClient } from '../../../src/intake/stream-starts.ts';

/** A client of Temporal's with this schedule of the stream's; `asked` is what it was told. */
function temporal(running: readonly object[] | null) {
  const asked: unknown[] = [];
  const handle = {
    describe: async () => {
      if (running === null) throw new ScheduleNotFoundError('no such schedule', 'acme/refresh-catalog');
      return { info: { runningActions: running } };
    },
    trigger: async (overlap: unknown) => void asked.push(['triggered', overlap]),
  };
  const client = {
    schedule: {
      getHandle: (id: string) => {
        asked.push(id);
        return handle;
      },
    },
    workflow: { start: async (type: string) => void asked.push(['started', type]) },
  } as unknown as StreamClient;
  return { starts: createStreamStarts(client), asked };
}

it('a stream is read by its schedule, which begins no second read beside one of its own', async () => {
  const { starts, asked } = temporal([]);
  expect(await starts.start('acme', 'refreshCatalog')).toBe(true);
  expect(asked).toEqual(['acme/refresh-catalog', ['triggered', ScheduleOverlapPolicy.SKIP]]);
});

it('one that its schedule reads just now is not read twice', async () => {
  const { starts, asked } = temporal([{ workflow: {} }]);
  expect(await starts.start('acme', 'refreshCatalog')).toBe(false);
  expect(asked).toEqual(['acme/refresh-catalog']);
});

it('one that has no schedule yet is read all the same', async () => {
  const { starts, asked } = temporal(null);
  expect(await starts.start('acme', 'refreshCatalog')).toBe(true);
  expect(asked.at(-1)).toEqual(['started', 'refreshCatalog']);
});
