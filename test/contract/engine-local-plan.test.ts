/** The first look at a record within the workflow task: the real engine on ledger and simulators. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { openTestBed, openWorld, type TestBed, type World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

let testBed: TestBed;
let world: World;
let deals: Deals;

beforeAll(async () => {
  testBed = await openTestBed(workflows as never);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

beforeEach(async () => {
  world = await openWorld(testBed, { arrays: 'replace', seed: 1, prefer: 'crm' });
  deals = dealsOf(world);
});

afterEach(() => world.close());
afterAll(() => testBed.close());

/** What was carried out for the record since the trail was `from` long: the activities' names. */
function carriedOut(crmId: string, from = 0): readonly string[] {
  return world.scheduler.trail
    .slice(from)
    .filter((line) => line.includes(crmId))
    .map((line) => line.split(' ')[2] ?? '');
}

describe('a wake from the CRM', () => {
  it('is answered by a local activity first', async () => {
    const crmId = await deals.opportunity(await deals.account());
    await deals.line(crmId, 500);
    await deals.sweep();
    expect(carriedOut(crmId)[0]).toBe('local:planSync');
    expect(await settle(world)).toEqual([]);
  });
});
