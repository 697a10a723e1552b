import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../../src/core/server.ts';
import { openStateFile } from '../../src/core/state-file.ts';

describe('server', () => {
  it('says which port is taken', async () => {
    const first = await startServer(new Hono());
    await expect(startServer(new Hono(), first.port)).rejects.toThrow(`Port ${first.port} on 127.0.0.1 is taken`);
    await first.close();
  });

  it('drops open connections at once when it closes, and closes once', async () => {
    const server = await startServer(new Hono());
    const socket = connect(server.port, '127.0.0.1');
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    expect((await fetch(server.url)).status).toBe(404);
    await server.close();
    await server.close();
    await ended;
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  });
});

describe('state file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-state-'));
    path = join(folder, 'deep', 'state.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  function open(state: { value: unknown }, debounceMs = 5) {
    const notes: string[] = [];
    const notify = (sentence: string): void => {
      notes.push(sentence);
    };
    return { notes, file: openStateFile({ path, snapshot: () => state.value, notify, debounceMs }) };
  }

  it('gathers changes, writes the last state, leaves no neighbour file', async () => {
    const state = { value: 1 };
    const { file } = open(state);
    expect(file.initial).toBeUndefined();
    file.touch();
    state.value = 2;
    file.touch();
    await expect.poll(() => existsSync(path)).toBe(true);
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('2');
    expect(existsSync(`${path}.tmp`)).toBe(false);
    expect(open(state).file.initial).toBe(2);
  });

  it('writes what is pending when it closes, and nothing when nothing changed', async () => {
    const state = { value: 'x' };
    const untouched = open(state, 60_000);
    await untouched.file.close();
    expect(existsSync(path)).toBe(false);
    const touched = open(state, 60_000);
    touched.file.touch();
    await touched.file.close();
    expect(await readFile(path, 'utf8')).toBe('"x"');
  });

  it('moves a half-written file aside and says so', async () => {
    const first = open({ value: 1 });
    first.file.touch();
    await first.file.close();
    await writeFile(path, '{"a":');
    const second = open({ value: 1 });
    expect(second.file.initial).toBeUndefined();
    expect(second.notes).toEqual([expect.stringContaining(`${path}.broken`)]);
    expect(await readFile(`${path}.broken`, 'utf8')).toBe('{"a":');
  });

  it('says when it cannot write', async () => {
    const { file, notes } = open({ value: 1 });
    await rm(join(folder, 'deep'), { recursive: true });
    file.touch();
    await expect.poll(() => notes.length).toBe(1);
    expect(notes[0]).toContain('in memory only');
  });
});
