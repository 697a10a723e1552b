import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStateFile } from 'lockstep-simulators/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeEndpoints } from '../../src/cli/running/endpoints.ts';
import { ensureSecrets } from '../../src/cli/running/secrets.ts';
import { isPrivateTo, readPrivateFile } from '../../src/platform/private-file.ts';
import { UnusableFile } from '../../src/platform/regular-file.ts';
import { loadSealingKeys } from '../../src/platform/sealing-key.ts';
import { resolveSecret, SecretError } from '../../src/platform/secret.ts';
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

test.each(OTHERS)('a secret of a tenant of mode %o is refused, with its repair', (mode) => {
  const file = join(home, 'tenant.key');
  writeFileSync(file, 'the-value', { mode: 0o600 });
  const secret = resolveSecret('file:tenant.key', { env: {}, baseDir: home });
  expect(secret.reveal()).toBe('the-value');
  chmodSync(file, mode);
  const repair = `others may read the file ${file}: run "chmod 600" on it`;
  for (const read of [() => secret.reveal(), () => resolveSecret('file:tenant.key', { env: {}, baseDir: home })]) {
    expect(read).toThrow(SecretError);
    expect(read).toThrow(repair);
  }
});

test('a secret behind links is judged by the file that they lead to', () => {
  writeFileSync(join(home, 'data'), 'the-value', { mode: 0o600 });
  symlinkSync('data', join(home, '..data'));
  symlinkSync('..data', join(home, 'tenant.key'));
  const secret = resolveSecret('file:tenant.key', { env: {}, baseDir: home });
  expect(secret.reveal()).toBe('the-value');
  writeFileSync(join(home, 'next'), 'the-next', { mode: 0o644 });
  symlinkSync('next', join(home, '..draft'));
  renameSync(join(home, '..draft'), join(home, '..data'));
  expect(() => secret.reveal()).toThrow('others may read');
});

test.each([
  ['ours', 0o600, 1000, true],
  ['ours', 0o400, 1000, true],
  ['ours, and our group reads it', 0o640, 1000, false],
  ['ours, and all read it', 0o644, 1000, false],
  ['ours, and others write it', 0o602, 1000, false],
  ['mounted for its group', 0o440, 0, true],
  ['mounted for its group, that may write it', 0o660, 0, true],
  ['mounted for its owner', 0o400, 0, true],
  ['mounted for all', 0o444, 0, false],
  ['mounted as Kubernetes does unless it is told', 0o644, 0, false],
])('a file that is %s, of mode %o', (_, mode, uid, wanted) => {
  expect(isPrivateTo(1000, { mode: 0o100_000 | mode, uid })).toBe(wanted);
});

test.each([
  ['a pipe', (file: string) => execFileSync('mkfifo', ['-m', '600', file]), 'is no regular file'],
  ['a folder', (file: string) => mkdirSync(file, { mode: 0o700 }), 'is no regular file'],
  ['a device', (file: string) => symlinkSync('/dev/zero', file), 'is no regular file'],
  ['100 KB', (file: string) => writeFileSync(file, 'x'.repeat(100_000), { mode: 0o600 }), 'larger than 64 KB'],
])('%s in place of the sealing key, or of a key to set, is refused at once', async (_, put, reason) => {
  const file = join(home, 'sealing.key');
  put(file);
  await expect(loadSealingKeys(file)).rejects.toThrow(reason);
  expect(() => readPrivateFile(file)).toThrow(UnusableFile);
});
