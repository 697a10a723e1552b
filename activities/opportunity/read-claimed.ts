import { judgeClaim, refusedClaim } from '../../src/domain/decide/judge-claim.ts';
import { withFilledIn } from '../../src/domain/merge/filled-in.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { counterpartOf } from '../../src/observe/counterpart.ts';
import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { readCrm } from './observe.ts';
import { readRecord } from './read-record.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

/**
 * Reads the vendor record whose id a user entered in an opportunity. Links the two records, or stores why Lockstep refuses the id. Copies
 * no values: the workflow decides next, and only that decision copies values.
 */
export async function readClaimed(deps: ActivityDeps, link: Link, args: RecordArgs): Promise<SyncSummary> {
  const runtime = deps.runtime(link.tenant);
  const found = await counterpartOf(deps.ledger, link, await readCrm(runtime, link));
  if (found.kind !== 'claimed') return summarise(link, { next: 'plan-again' }, 'not yet at the vendor');
  const { claim, crmId } = found;
  const { vendorId } = claim;
  const observation = await readRecord(deps, runtime, vendorId, args);
  const refusal = judgeClaim(claim, observation, runtime.tenant.mapping);
  if (observation === null || refusal !== null) {
    const refused = refusedClaim(claim, refusal ?? 'absent');
    const settled = await settle(deps, link, { type: 'claim-judged', refused });
    return summarise(settled, { next: 'plan-again' }, 'the entered vendor id is not proven');
  }
  const { link: owner } = await deps.ledger.resolveLink(link.tenant, { crmId, vendorId }, deps.now());
  if (owner.key !== link.key) return supersededBy(deps, link.tenant, owner.key, owner);
  // Another opportunity was linked to the vendor record meanwhile.
  if (owner.vendorId !== vendorId) return summarise(owner, { next: 'plan-again' }, 'linked elsewhere');
  const read = { type: 'vendor-read', observation: withFilledIn(observation, owner) } as const;
  const settled = await settle(deps, { ...owner, generation: link.generation }, read);
  return summarise(settled, { next: 'plan-again' }, 'linked by the entered vendor id');
}
