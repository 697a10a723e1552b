import {
  makePlan,
  type PlannedChange,
  type PlanOrder,
  type PlanSummary,
} from '../../../src/operator/plan/make-plan.ts';
import { readOnly } from './operator.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

export type Planned = { readonly records: readonly PlannedChange[]; readonly summary: PlanSummary };

/** The plan for a world's records; by default for changes of the last hour. */
export async function planned(world: World, order: Partial<PlanOrder> = {}): Promise<Planned> {
  const records: PlannedChange[] = [];
  const ports = {
    ...readOnly(world),
    emit: (record: PlannedChange) => void records.push(record),
    pause: async (ms: number) => world.clock.advance(ms),
    now: world.clock.now,
  };
  const since = new Date(world.clock.readMs() - HOUR_MS).toISOString();
  const summary = await makePlan(ports, world.runtime.tenant, { since, mapping: null, ...order });
  return { records, summary };
}
