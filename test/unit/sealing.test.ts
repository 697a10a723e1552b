import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSealing, SealingError, type SealingErrorCode } from '../../src/platform/sealing.ts';
import { SEALING_DICTIONARY } from '../../src/platform/sealing-dictionary.ts';
import { loadSealingKeys } from '../../src/platform/sealing-key.ts';
import fc from '../support/properties.ts';

const key = { id: 'k1', bytes: Buffer.alloc(32, 1) };
const otherKey = { id: 'k2', bytes: Buffer.alloc(32, 2) };

function codeOf(work: () => unknown): SealingErrorCode | 'no error' {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(SealingError);
    return (error as SealingError).code;
  }
  return 'no error';
}

describe('a longer value', () => {
  const sealing = createSealing(key);
  const record = {
    name: 'Core switches',
    currency: 'EUR',
    description: null,
    customerContacts: [],
    note: 'n'.repeat(200),
  };

  it('is compressed before it is sealed', () => {
    const sealed = sealing.seal(record, 'here');
    expect(sealed.length).toBeLessThan(JSON.stringify(record).length / 2);
    expect(sealing.open(sealed, 'here')).toEqual(record);
    expect(codeOf(() => sealing.open(sealed, 'there'))).toBe('refused');
  });

  it('is refused with any one bit changed', () => {
    const sealed = sealing.seal(record, 'here');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const damaged = Buffer.from(sealed);
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(codeOf(() => sealing.open(damaged, 'here'))).not.toBe('no error');
    }
  });

  it('is opened though it was sealed before values were compressed', () => {
    const before =
      'AQJrMQcHBwcHBwcHBwcHB+7AwGkRmXhEOx/s4ep/hlr20YTFYsuTmzvZa0LD4BS9zt3isQEYLXUpTFzJgzZojyJHrOyvs9eDyjNQstlf' +
      'Ftf2JfZI8BcL8hizcFMvtQXM0SDE2sjlbOtYAbaf/Dhbn8ILxlYp91MB5uOPMeNHbSjjtx4zhrM/uVj7pZxBWQ7CxWd9OPH1zzO1CI8M' +
      'Qem+IX2cspnlIB0boHR93EedYYPVr76obZUF1rG10dZGZIv76a8W9VDL/eXrJw38rVv0oMK861qrN/LZabFVohgy4hHvArJldFgHmLHQ' +
      '9BTpUQgsfyi49nZq7XNZWlhmrUG1Ih0gv8S0XZhSYJA=';
    expect(sealing.open(Buffer.from(before, 'base64'), 'here')).toEqual({
      name: 'Core switches',
      note: 'n'.repeat(200),
    });
  });

  it('is compressed with a dictionary that never changes', () => {
    const hash = createHash('sha256').update(SEALING_DICTIONARY).digest('hex');
    expect(hash).toBe('6ed1a22302b128c8b4690ac052b67dae916f40fc67ebc1cd9b07e1790a0384c6');
  });
});

describe('createSealing', () => {
  it('opens what it sealed, for every JSON value and context', () => {
    const sealing = createSealing(key);
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, context) => {
        const wire: unknown = JSON.parse(JSON.stringify(value));
        expect(sealing.open(sealing.seal(value, context), context)).toEqual(wire);
      }),
    );
  });

  it('opens nothing in another context', () => {
    const sealing = createSealing(key);
    const sealed = sealing.seal({ email: 'ann@example.com' }, 'acme/links/1/base');
    expect(codeOf(() => sealing.open(sealed, 'umbrella/links/1/base'))).toBe('refused');
    expect(codeOf(() => sealing.open(sealed, 'acme/links/1/vendor'))).toBe('refused');
  });

  it('refuses bytes with any one bit changed', () => {
    const sealing = createSealing(key);
    const sealed = sealing.seal('secret', 'here');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const damaged = Buffer.from(sealed);
      damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(codeOf(() => sealing.open(damaged, 'here'))).not.toBe('no error');
    }
  });

  it('refuses bytes that are cut short or empty', () => {
    const sealing = createSealing(key);
    const sealed = sealing.seal('secret', 'here');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(codeOf(() => sealing.open(sealed.subarray(0, length), 'here'))).not.toBe('no error');
    }
  });

  it('never seals the same value to the same bytes, nor in clear', () => {
    const sealing = createSealing(key);
    const first = sealing.seal('ann@example.com', 'here');
    expect(first.equals(sealing.seal('ann@example.com', 'here'))).toBe(false);
    expect(first.includes('ann')).toBe(false);
  });

  it('opens with an old key, seals with the new one, and names an unknown key by its id', () => {
    const before = createSealing(otherKey);
    const after = createSealing(key, [otherKey]);
    expect(after.open(before.seal(7, 'x'), 'x')).toBe(7);
    expect(codeOf(() => before.open(after.seal(7, 'x'), 'x'))).toBe('unknown-key');
  });

  it('refuses a key under the name of another', () => {
    const forged = createSealing({ id: 'k1', bytes: Buffer.alloc(32, 9) });
    expect(codeOf(() => createSealing(key).open(forged.seal(1, 'x'), 'x'))).toBe('refused');
  });

  it.each([
    ['short bytes', { id: 'k', bytes: Buffer.alloc(16) }],
    ['an empty id', { id: '', bytes: Buffer.alloc(32) }],
    ['a long id', { id: 'k'.repeat(65), bytes: Buffer.alloc(32) }],
  ])('refuses a key with %s', (_name, bad) => {
    expect(codeOf(() => createSealing(bad))).toBe('bad-key');
  });

  it('refuses two keys with one id', () => {
    expect(codeOf(() => createSealing(key, [{ id: 'k1', bytes: Buffer.alloc(32, 3) }]))).toBe('bad-key');
  });

  it('refuses what is not JSON, without telling the value', () => {
    const loop: Record<string, unknown> = { name: 'Ann Example' };
    loop['self'] = loop;
    const sealing = createSealing(key);
    expect(codeOf(() => sealing.seal(undefined, 'x'))).toBe('not-json');
    expect(codeOf(() => sealing.seal(loop, 'x'))).toBe('not-json');
    expect(() => sealing.seal(loop, 'x')).toThrow(/^Only JSON values can be sealed\.$/);
  });
});

describe('loadSealingKeys', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealing-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('makes a file of mode 0600 when asked, and reads the same key again', async () => {
    const path = join(folder, 'new', 'key');
    await expect(loadSealingKeys(path)).rejects.toThrow(/does not exist/);
    const made = await loadSealingKeys(path, { create: true });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await loadSealingKeys(path, { create: true })).toEqual(made);
    expect(made.map(({ bytes }) => bytes.length)).toEqual([32]);
  });

  it('gives all that start at once the same key and leaves no other file', async () => {
    const path = join(folder, 'race', 'key');
    const keys = await Promise.all(Array.from({ length: 10 }, () => loadSealingKeys(path, { create: true })));
    expect(new Set(keys.map(([one]) => one.bytes.toString('hex'))).size).toBe(1);
    expect(await readdir(join(folder, 'race'))).toEqual(['key']);
  });

  it.each([0o644, 0o604, 0o640, 0o620])('refuses a file of ours with mode %o', async (mode) => {
    const path = join(folder, `open-${mode}`);
    await writeFile(path, `k:${Buffer.alloc(32).toString('base64')}`);
    await chmod(path, mode);
    await expect(loadSealingKeys(path)).rejects.toThrow(/chmod 600/);
  });

  it('reads older keys below the first, so that what they sealed still opens', async () => {
    const path = join(folder, 'rotated');
    const line = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
    await writeFile(path, `${line('new', 2)}\n${line('old', 1)}\n`, { mode: 0o600 });

    const [key, ...oldKeys] = await loadSealingKeys(path);
    const sealing = createSealing(key, oldKeys);

    const before = createSealing({ id: 'old', bytes: Buffer.alloc(32, 1) }).seal('agreed', 'place');
    expect(sealing.open(before, 'place')).toBe('agreed');
    const onlyNew = createSealing({ id: 'new', bytes: Buffer.alloc(32, 2) });
    expect(onlyNew.open(sealing.seal('agreed', 'place'), 'place')).toBe('agreed');
  });

  it('refuses a damaged file without telling its content', async () => {
    const path = join(folder, 'damaged');
    await writeFile(path, 'k:c2VjcmV0', { mode: 0o600 });
    await expect(loadSealingKeys(path, { create: true })).rejects.toThrow(/^(?!.*c2VjcmV0).*does not hold/);
    await writeFile(path, `k:${Buffer.alloc(32).toString('base64')}\nold:c2VjcmV0\n`);
    await expect(loadSealingKeys(path)).rejects.toThrow(/^(?!.*c2VjcmV0).*does not hold/);
  });
});
