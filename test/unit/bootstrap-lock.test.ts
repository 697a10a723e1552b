import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../scripts/setup/lock.mjs';
import { temporaryFolder } from '../support/temporary-folder.ts';

function lockFile(): string {
  return join(temporaryFolder('lockstep-lock'), 'home', 'setup.lock');
}

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '0']).pid;
}

describe('the lock of the set-up', () => {
  it('lets one in at a time', async () => {
    const file = lockFile();
    const events: string[] = [];
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const first = withLock(file, async () => {
      events.push('first in');
      await gate;
      events.push('first out');
    });
    const second = withLock(
      file,
      async () => events.push('second in'),
      (holder) => {
        expect(holder).toBe(process.pid);
        open();
      },
    );
    await Promise.all([first, second]);
    expect(events).toEqual(['first in', 'first out', 'second in']);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['of a process that was killed', () => `${deadPid()} node scripts/bootstrap.mjs up\n`],
    ['whose process id went to another program', () => `${process.pid} some other program\n`],
    ['that was half written', () => ''],
  ])('takes over a lock %s', async (_, content) => {
    const file = lockFile();
    await withLock(file, async () => {});
    writeFileSync(file, content());
    await expect(withLock(file, async () => readFileSync(file, 'utf8'))).resolves.toContain(`${process.pid} `);
    expect(existsSync(file)).toBe(false);
  });

  it('is given back when the work fails', async () => {
    const file = lockFile();
    const work = withLock(file, async () => {
      throw new Error('no network');
    });
    await expect(work).rejects.toThrow('no network');
    expect(existsSync(file)).toBe(false);
  });
});
