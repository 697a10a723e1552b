import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { type Deals, dealsOf } from './deals.ts';
import { settle } from './settle.ts';
import { isInWorkflow } from './workflow-host.ts';
import { openTestBed, openWorld, type TestBed, type World, type WorldOptions } from './world.ts';

/**
 * A test bed for one test file, closed after its last test; call it once at the top. `@temporalio/workflow` must be `workflow-runtime.ts`
 * for the workflows that are passed: `workflows-on-runtime.ts` does so for `test/property` and `test/contract`, `vi.mock` elsewhere.
 */
export function withTestBed(...given: Parameters<typeof openTestBed>): () => TestBed {
  let testBed: TestBed | undefined;
  beforeAll(async () => {
    const opened = await openTestBed(...given);
    testBed = opened;
    const [now, random] = [Date.now, Math.random];
    vi.spyOn(Date, 'now').mockImplementation(() => (isInWorkflow() ? opened.clock.readMs() : now()));
    vi.spyOn(Math, 'random').mockImplementation(() => (isInWorkflow() ? 0.5 : random()));
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await testBed?.close();
  });
  return () => {
    if (testBed === undefined) throw new TypeError('the test bed is open only while tests run');
    return testBed;
  };
}

/**
 * Worlds on a test bed, for tests with their own sequence of events. Each call opens a new, empty world and closes the one before, which
 * must have sent the vendor nothing that its documents forbid. By default the vendor replaces arrays and the CRM wins conflicts.
 */
export function withWorlds(
  ...given: Parameters<typeof openTestBed>
): (options?: Partial<WorldOptions>) => Promise<{ readonly world: World; readonly deals: Deals }> {
  const testBed = withTestBed(...given);
  let open: World | undefined;
  async function close(): Promise<void> {
    const ended = open;
    open = undefined;
    await ended?.close();
    expect((await ended?.violations()) ?? []).toEqual([]);
  }
  afterEach(close);
  return async (options = {}) => {
    await close();
    const world = await openWorld(testBed(), { arrays: 'replace', seed: 1, prefer: 'crm', ...options });
    open = world;
    return { world, deals: dealsOf(world) };
  };
}

export type Shared = {
  readonly world: World;
  readonly deals: Deals;
  /** The opportunity, which has one line. */
  readonly crmId: string;
};

/** Like `withWorlds`, with one shared deal in each world on which both sides agree (by default). */
export function withDeal(
  ...given: Parameters<typeof openTestBed>
): (options?: Partial<WorldOptions> & { readonly isAgreed?: boolean }) => Promise<Shared> {
  const open = withWorlds(...given);
  return async ({ isAgreed = true, ...options } = {}) => {
    const { world, deals } = await open(options);
    const crmId = await deals.opportunity(await deals.account());
    await deals.line(crmId, 500);
    if (isAgreed) expect(await settle(world)).toEqual([]);
    return { world, deals, crmId };
  };
}
