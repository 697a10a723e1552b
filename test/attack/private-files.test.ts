import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeEndpoints } from '../../src/dev/home/endpoints.ts';
import { ensureSecrets } from '../../src/dev/home/secrets.ts';
import { loadSealingKeys } from '../../src/platform/sealing-key.ts';
import { openStateFile } from '../../src/simulators/core/state-file.ts';
import { endpoints } from '../support/endpoints.ts';

/** A neighbour on the machine reads no key, secret or state; where one could have, it is a secret no more. */

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lockstep-private-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const OTHERS = [0o644, 0o640, 0o604, 0o660, 0o602];

test('what a start writes is for its user alone', async () => {
  const before = process.umask(0);
  try {
    ensureSecrets(home);
    writeEndpoints(home, endpoints);
    await loadSealingKeys(join(home, 'sealing.key'), { create: true });
    const state = openStateFile({ path: join(home, 'state.json'), snapshot: () => ({}), notify: () => {} });
    state.touch();
    await state.close();
  } finally {
    process.umask(before);
  }
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name));
  const modes = files.map((file) => statSync(file)).map((stats) => [stats.isFile(), stats.mode & 0o077]);
  expect(modes.filter(([isFile]) => isFile)).toHaveLength(6);
  expect(modes.filter(([, others]) => others !== 0)).toEqual([]);
});

test.each(OTHERS)('a sealing key of mode %o is refused', async (mode) => {
  const file = join(home, 'sealing.key');
  await loadSealingKeys(file, { create: true });
  chmodSync(file, mode);
  await expect(loadSealingKeys(file)).rejects.toThrow('Others may read');
});

test.each(OTHERS)('a secret of a start of mode %o is refused', (mode) => {
  const { webhookKey } = ensureSecrets(home);
  chmodSync(webhookKey, mode);
  expect(() => ensureSecrets(home)).toThrow('Others may read');
});
