import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../src/platform/ports.ts';
import { liveMemory } from '../fuzz/live-memory.ts';

/**
 * What the fuzzer of the remotes takes for memory: what a process keeps, in its main thread and in its worker threads, and not the
 * garbage that V8 has not tidied yet.
 */
const running = new Set<{ kill(): boolean }>();
afterEach(() => {
  for (const child of running) child.kill();
  running.clear();
});

const MEGABYTES = 100;
const FILL = `const made = Array.from({ length: ${MEGABYTES} }, () => Array.from({ length: 131_072 }, (_, n) => n + 0.5));`;
const wait = 'setInterval(() => {}, 1_000); process.send?.("ready");';
const inThread = (code: string): string =>
  `const { Worker } = require('node:worker_threads');
   new Worker(${JSON.stringify(`${code} require('node:worker_threads').parentPort.postMessage(1); setInterval(() => {}, 1_000);`)}, { eval: true })
     .once('message', () => process.send?.('ready'));`;

async function memoryOf(code: string): Promise<number> {
  const port = await freePort();
  const args = [`--inspect=127.0.0.1:${port}`, '-e', code];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  running.add(child);
  await once(child, 'message');
  return liveMemory({ pid: child.pid ?? 0, inspector: `http://127.0.0.1:${port}` });
}

test('garbage is no memory, in no thread', async () => {
  const [inMain, inWorker] = [await memoryOf(`{ ${FILL} } ${wait}`), await memoryOf(inThread(`{ ${FILL} }`))];
  expect(inMain).toBeLessThan(MEGABYTES);
  expect(inWorker).toBeLessThan(MEGABYTES);
});

test('what is kept is memory, in every thread', async () => {
  const [inMain, inWorker] = [
    await memoryOf(`${FILL} globalThis.kept = made; ${wait}`),
    await memoryOf(inThread(`${FILL} globalThis.kept = made;`)),
  ];
  expect(inMain).toBeGreaterThan(MEGABYTES);
  expect(inWorker).toBeGreaterThan(MEGABYTES);
});
