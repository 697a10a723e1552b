import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { generatedSecret, resolveSecret, SecretError } from '../../src/platform/secret.ts';

const baseDir = mkdtempSync(join(tmpdir(), 'secret-'));
afterAll(() => rmSync(baseDir, { recursive: true }));

describe('a secret', () => {
  const secret = resolveSecret('env:TOKEN', { env: { TOKEN: 'tok-123' }, baseDir });

  it('gives its value only when it is asked to', () => {
    expect(secret.reveal()).toBe('tok-123');
    expect(secret.source).toBe('env:TOKEN');
  });

  it.each([
    ['String', () => String(secret)],
    ['a template', () => `${secret}`],
    ['JSON', () => JSON.stringify({ secret })],
    ['inspect', () => inspect({ secret }, { depth: 5, showHidden: true })],
    ['inspect without custom printers', () => inspect(secret, { customInspect: false, showHidden: true })],
    ['a spread', () => JSON.stringify({ ...secret })],
  ])('is not to be seen through %s', (_, print) => {
    expect(print()).not.toContain('tok-123');
  });

  it('in a file is read at each use, so that a rotation is seen', () => {
    const path = join(baseDir, 'key.txt');
    writeFileSync(path, 'first\n', { mode: 0o600 });
    const fromFile = resolveSecret('file:key.txt', { env: {}, baseDir });
    expect(fromFile.reveal()).toBe('first');
    writeFileSync(path, 'second\r\n');
    expect(fromFile.reveal()).toBe('second');
  });

  it('keeps the line breaks inside a file', () => {
    writeFileSync(join(baseDir, 'pem'), 'a\nb\n', { mode: 0o600 });
    expect(resolveSecret('file:pem', { env: {}, baseDir }).reveal()).toBe('a\nb');
  });

  it('made by the program hides too', () => {
    expect(String(generatedSecret('x'))).toBe('[secret]');
  });
});

describe('a secret that cannot be had', () => {
  it.each([
    ['env:MISSING', /environment variable MISSING is not set/],
    ['env:EMPTY', /environment variable EMPTY is not set/],
    ['file:nowhere', /nowhere cannot be read \(ENOENT\)/],
    ['file:empty', /empty is empty/],
    ['hunter2', /must be written as env:NAME or file:PATH/],
  ])('%s is an error that names the repair', (reference, message) => {
    writeFileSync(join(baseDir, 'empty'), '\n', { mode: 0o600 });
    const resolve = () => resolveSecret(reference, { env: { EMPTY: '' }, baseDir });
    expect(resolve).toThrow(SecretError);
    expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(/hunter2/);
  });
});
