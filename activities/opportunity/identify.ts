import { BACKFILL_CURSOR, type BackfillState, isMatching } from '../../src/domain/backfill/backfill.ts';
import type { Ambiguity, CrmSide } from '../../src/domain/decide/input.ts';
import { adoptionLine } from '../../src/domain/evolve/journal-lines.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import { counterpartOf } from '../../src/observe/counterpart.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';

export type Identified = { readonly link: Link; readonly ambiguity: Ambiguity | null };

/** Links an opportunity to its existing vendor record if exactly one is known, because a create would double the deal. */
export async function identify(deps: ActivityDeps, link: Link, crm: CrmSide): Promise<Identified> {
  const { ledger } = deps;
  const found = await counterpartOf(ledger, link, crm);
  if (found.kind === 'none') {
    await waitWhileMatching(deps, link, crm);
    return { link, ambiguity: null };
  }
  if (found.kind === 'unclear') return { link, ambiguity: found.ambiguity };
  const { crmId, vendorId } = found;
  if (found.kind === 'written') {
    const resolved = await ledger.resolveLink(link.tenant, { crmId, vendorId }, deps.now());
    const isOurs = resolved.link.vendorId === vendorId;
    return { link: resolved.link, ambiguity: isOurs ? null : { kind: 'id-of-another' } };
  }
  const ids = { crmId, vendorId };
  const entry = adoptionLine(deps.now(), { matchedOn: 'shared', candidates: 1, ...ids });
  // Null while a create is under way, because the search for the create comes first.
  return { link: (await ledger.adopt(link.tenant, ids, entry)) ?? link, ambiguity: null };
}

const WHILE_MATCHING_MS = 10_000;

/** Fails as TRANSIENT while a backfill matches vendor records that may belong to this older opportunity. */
async function waitWhileMatching(
  { ledger }: ActivityDeps,
  { tenant, crmId, vendorId, vendorInDoubt, adoptingSince }: Link,
  crm: CrmSide,
): Promise<void> {
  if (crmId === null || vendorId !== null || crm.kind !== 'observed') return;
  if (vendorInDoubt !== 'no' || adoptingSince !== null) return;
  const backfill = (await ledger.cursor(tenant, BACKFILL_CURSOR)) as BackfillState | null;
  if (backfill === null || !isMatching(backfill)) return;
  if (!scopeOf(crm.observation.graph.opportunity).inScope) return;
  const createdMs = Date.parse(String(crm.observation.graph.opportunity['CreatedDate']));
  if (createdMs >= Date.parse(backfill.begunAt)) return;
  const waits = { waitsFor: 'matching', retryAfterMs: WHILE_MATCHING_MS, isOurs: true } as const;
  throw failure('TRANSIENT', 'a backfill matches the records of the vendor', waits);
}
