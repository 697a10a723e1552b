import type { AuditResult } from '../../../src/domain/audit/audit-result.ts';
import { workflowIds } from '../../../temporal.config.ts';
import type { AuditInput } from '../../../workflows/messages.ts';
import type { Deals } from './deals.ts';
import type { World } from './world.ts';

/** Runs an audit of a world to its end, with all work that follows from it. */
export async function audited(world: World, deals: Deals, order: Partial<AuditInput> = {}): Promise<AuditResult> {
  const id = workflowIds.scheduled(world.tenant, 'audit');
  world.scheduler.takeResults();
  const input: AuditInput = { tenant: world.tenant, repairs: true, ...order };
  if (!world.scheduler.start(id, 'audit', input)) throw new Error('an audit is under way');
  await deals.time(600_000);
  const result = world.scheduler.takeResults().get(id) as AuditResult | undefined;
  if (result === undefined) throw new Error(`no audit ended: ${String(world.scheduler.failures.at(-1)?.error)}`);
  return result;
}
