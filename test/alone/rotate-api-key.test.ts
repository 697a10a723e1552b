import { ApplicationFailure } from '@temporalio/common';
import { beforeEach, expect, it, vi } from 'vitest';
import type { RotationStatus } from '../../workflows/messages.ts';
import { type ActivityCall, runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';

/** The texts that the run shows in the Temporal UI, and whether the run began with today's code. */
const run = vi.hoisted(() => ({ details: [] as string[], isNew: true }));
vi.mock('@temporalio/workflow', async () => ({
  ...(await import('../support/engine/workflow-runtime.ts')),
  setCurrentDetails: (text: string) => void run.details.push(text),
  patched: () => run.isNew,
}));
beforeEach(() => Object.assign(run, { details: [], isNew: true }));

const { rotateApiKey } = await import('../../workflows/rotate-api-key.ts');

const HASH = 'h'.repeat(60);
const failing = (type: string, details: object = {}) => ApplicationFailure.create({ type, details: [details] });

type Said = 'confirm' | 'abort' | 'nothing';
type Answers = Readonly<Record<string, readonly unknown[]>>;

/** Runs the workflow: what activities answer, in their order, and what a person says each time that it waits. */
async function rotate(said: readonly Said[], answers: Answers = {}) {
  const calls: string[] = [];
  const handlers = new Map<string, (...args: never[]) => unknown>();
  const left = [...said];
  const next = new Map(Object.entries(answers).map(([name, list]) => [name, [...list]]));
  const usual: Readonly<Record<string, unknown>> = {
    createApiKey: { hashedKey: HASH },
    proveApiKey: { proof: 'taken' },
    settleKey: { isDone: true },
  };
  const host = {
    info: () => ({ historyLength: 1, continueAsNewSuggested: false }),
    setHandler: (name: string, handler: (...args: never[]) => unknown) => void handlers.set(name, handler),
    schedule: async ({ name, args }: ActivityCall) => {
      const { domain, as, days } = args[0] as Record<string, unknown>;
      calls.push([name, domain ?? as ?? days].filter((part) => part !== undefined).join(' '));
      const answer = next.get(name)?.shift() ?? usual[name];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    condition: async (check: () => boolean) => {
      if (check()) return true;
      const word = left.shift();
      if (word === undefined) throw new Error('nobody says anything more');
      if (word !== 'nothing') handlers.get(`${word}Key`)?.();
      return check();
    },
  } as unknown as WorkflowHost;
  const status = (await runAsWorkflow(host, () => rotateApiKey({ tenant: 'acme' }))) as RotationStatus;
  return { status, calls, shown: () => handlers.get('rotation')?.() };
}

it('waits for a person, reminds every day, proves the new key in both domains, and has it take over', async () => {
  const { status, calls, shown } = await rotate(['nothing', 'nothing', 'confirm']);
  expect(calls).toEqual([
    'createApiKey',
    'remindOfKey 1',
    'remindOfKey 2',
    'proveApiKey sales',
    'proveApiKey order',
    'settleKey proven',
  ]);
  const proof = { sales: 'taken', order: 'taken' };
  expect(status).toEqual({
    phase: 'confirmed',
    hashedKey: HASH,
    lostAnswers: 0,
    reminders: 2,
    proofs: 1,
    proof,
  });
  expect(shown()).toEqual(status);
});

it('goes on waiting while one of the domains refuses the new key, or cannot tell', async () => {
  const { status, calls } = await rotate(['confirm', 'confirm', 'confirm'], {
    proveApiKey: [{ proof: 'taken' }, { proof: 'refused' }, failing('TRANSIENT'), { proof: 'taken' }],
  });
  expect(status).toMatchObject({ phase: 'confirmed', proofs: 3 });
  expect(calls.filter((call) => call.startsWith('settleKey'))).toEqual(['settleKey proven']);
});

it('asks again where the answer was lost, and says so; not of a request that was throttled', async () => {
  const { status, calls } = await rotate(['nothing', 'nothing', 'nothing', 'confirm'], {
    createApiKey: [failing('TRANSIENT'), failing('THROTTLED', { retryAfterMs: 5_000 }), failing('TRANSIENT')],
  });
  expect(calls.filter((call) => call === 'createApiKey')).toHaveLength(4);
  expect(status).toMatchObject({ phase: 'confirmed', lostAnswers: 2 });
});

it('forgets the new key on a person’s word, also before there is one', async () => {
  const late = await rotate(['abort']);
  expect([late.status.phase, late.calls]).toEqual(['aborted', ['createApiKey', 'settleKey dropped']]);
  const early = await rotate(['abort'], { createApiKey: [failing('TRANSIENT')] });
  expect([early.status.phase, early.calls]).toEqual(['aborted', ['createApiKey']]);
});

it('keeps a key that has taken over, whatever a person says', async () => {
  const { status } = await rotate(['abort', 'confirm'], { settleKey: [{ isDone: false }] });
  expect(status.phase).toBe('confirmed');
});

it('is not confirmed while the ledger lacks the new key, and ends on a person’s abort', async () => {
  const { status, calls } = await rotate(['confirm', 'abort'], { settleKey: [{ isDone: false }] });
  expect(calls.slice(1)).toEqual(['proveApiKey sales', 'proveApiKey order', 'settleKey proven', 'settleKey dropped']);
  expect(status).toMatchObject({ phase: 'aborted', proofs: 1, proof: { sales: 'taken', order: 'taken' } });
  expect(run.details.at(-2)).toContain('lockstep keys abort acme');
  expect(run.details.at(-2)).not.toContain(HASH);
});

it('replays the history of a run that was confirmed although the ledger lacked the new key', async () => {
  run.isNew = false;
  const { status } = await rotate(['confirm'], { settleKey: [{ isDone: false }] });
  expect(status).toMatchObject({ phase: 'confirmed', proofs: 1 });
});

it('ends where the key in use is refused: only a person can give another', async () => {
  const { status, calls } = await rotate([], {
    createApiKey: [failing('SYSTEMIC', { group: 'vendor-order' })],
  });
  expect([status.phase, status.hashedKey, calls]).toEqual(['refused', null, ['createApiKey']]);
});
