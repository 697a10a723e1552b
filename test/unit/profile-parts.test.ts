import { describe, expect, test } from 'vitest';
import { type CpuProfile, PARTS, partOf, timeByPart } from '../../bench/profile/parts.ts';
import { rowsOf, shareTable } from '../../bench/profile/shares.ts';

const ROOT = 'file:///home/me/lockstep';
const OF_PG = `${ROOT}/node_modules/pg/lib/client.js`;
const OF_SEALING = `${ROOT}/src/platform/sealing.ts`;

describe('a frame', () => {
  test.each([
    [`${ROOT}/src/domain/merge/merge.ts`, 'decision'],
    [OF_SEALING, 'sealing'],
    [`${ROOT}/src/ledger/data-keys.ts`, 'sealing'],
    [`${ROOT}/src/ledger/links.ts`, "PostgreSQL's client"],
    [OF_PG, "PostgreSQL's client"],
    [`${ROOT}/node_modules/pg-protocol/dist/parser.js`, "PostgreSQL's client"],
    [`${ROOT}/node_modules/jsforce/node_modules/undici/index.js`, 'HTTP'],
    [`${ROOT}/node_modules/@temporalio/worker/lib/worker.js`, "Temporal's client"],
    [`${ROOT}/node_modules/@temporalio/worker/lib/workflow/reusable-vm.js`, "the workflows' sandbox"],
    [`${ROOT}/src/partner-api/call.ts`, "the vendor's client"],
    [`${ROOT}/activities/opportunity/plan-sync.ts`, 'activities'],
    ['workflow-bundle-0f3c.js', 'workflows'],
    [`${ROOT}/node_modules/left-pad/index.js`, null],
    ['node:internal/process/task_queues', null],
    ['node:_http_server', 'HTTP'],
    // A database is written to by the same sockets.
    ['node:net', null],
  ])('of %s belongs to %s', (url, part) => {
    expect(partOf({ functionName: 'any', url })).toBe(part);
  });
});

/** A profile of stacks, each from the outermost frame to the innermost, and the microseconds spent there. */
function profileOf(...stacks: readonly (readonly [us: number, ...frames: (readonly [string, string])[]])[]) {
  const nodes: { id: number; callFrame: { functionName: string; url: string }; children: number[] }[] = [];
  const add = (functionName: string, url: string): number => {
    nodes.push({ id: nodes.length + 1, callFrame: { functionName, url }, children: [] });
    return nodes.length;
  };
  const root = add('(root)', '');
  const samples = stacks.map(([, ...frames]) => {
    let at = root;
    for (const [name, url] of frames) {
      const child = add(name, url);
      nodes[at - 1]?.children.push(child);
      at = child;
    }
    return at;
  });
  return { nodes, samples, timeDeltas: stacks.map(([us]) => us) } satisfies CpuProfile;
}

const query = ['query', OF_PG] as const;

test('a sample is of the innermost frame that a part claims', () => {
  const { parts, idle } = timeByPart(
    profileOf(
      [100, ['planSync', `${ROOT}/activities/a.ts`], query, ['writev', ''], ['send', 'node:internal/x']],
      [10, query, ['open', OF_SEALING], ['update', 'node:internal/crypto/cipher']],
      [7, query, ['parse', '']],
      [5, ['(garbage collector)', '']],
      [3, ['processTicksAndRejections', 'node:internal/process/task_queues']],
      [1_000, ['(idle)', '']],
    ),
  );
  expect(idle).toBe(1_000);
  expect(Object.entries(parts).filter(([, us]) => us > 0)).toEqual([
    ['sealing', 10],
    ['JSON', 7],
    ["PostgreSQL's client", 100],
    ['collecting garbage', 5],
    ['all else of Node', 3],
  ]);
});

const PROFILES = [profileOf([6_000, query], [2_000, ['merge', `${ROOT}/src/domain/merge/merge.ts`], ['map', '']])];
const NONE = { temporalServer: null, postgres: null, receiver: null, worker: null };

test('no part is lost: what was sampled is in the rows, a change each', () => {
  const rows = rowsOf(PROFILES, NONE, 4);
  expect(rows.filter(({ msPerChange }) => msPerChange !== null && msPerChange > 0)).toEqual([
    { part: "worker: PostgreSQL's client", msPerChange: 1.5 },
    { part: 'worker: decision', msPerChange: 0.5 },
  ]);
  expect(rows.filter(({ msPerChange }) => msPerChange === null)).toHaveLength(5);
  expect(rows).toHaveLength(PARTS.length + 5);
});

test("the processor time of the threads that run JavaScript is the samples', the rest is its threads'", () => {
  const worker = new Map([
    ['node', 3],
    ['WorkerThread', 1],
    ['tokio-runtime-w', 5],
    ['V8Worker', 2],
  ]);
  const rows = rowsOf(PROFILES, { temporalServer: 10, postgres: 8, receiver: 0, worker }, 1);
  expect(rows.filter(({ msPerChange }) => msPerChange !== 0)).toEqual([
    { part: "Temporal's server", msPerChange: 10 },
    { part: 'PostgreSQL', msPerChange: 8 },
    { part: "worker: Temporal's client, native", msPerChange: 5 },
    { part: "worker: PostgreSQL's client", msPerChange: 3 },
    { part: "worker: V8's helper threads", msPerChange: 2 },
    { part: 'worker: decision', msPerChange: 1 },
  ]);
});

test('the table tells what each way takes, and what is not known', () => {
  const text = shareTable([
    {
      ...{ way: 'alone', changes: 50 },
      rows: [
        { part: 'PostgreSQL', msPerChange: 3 },
        { part: 'worker: JSON', msPerChange: 1 },
        { part: 'receiver', msPerChange: null },
      ],
    },
    {
      ...{ way: 'many', changes: 400 },
      rows: [
        { part: 'worker: JSON', msPerChange: 0.25 },
        { part: 'PostgreSQL', msPerChange: 0.5 },
        { part: 'receiver', msPerChange: null },
      ],
    },
  ]);
  expect(text).toBe(
    [
      'ms a change     alone     many',
      'PostgreSQL       3.00     0.50',
      'worker: JSON     1.00     0.25',
      'receiver      unknown  unknown',
      'all of it        4.00     0.75',
      'changes            50      400',
      '',
    ].join('\n'),
  );
});
