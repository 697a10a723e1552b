import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { adoptionLine } from '../../src/domain/evolve/journal-lines.ts';
import type { VendorObservation } from '../../src/domain/record/observation.ts';
import { referenceKind } from '../../src/domain/record/reference.ts';
import type { Matched } from '../../src/ledger/backfill/backfill-ledger.ts';
import { type Match, matchByKeys } from '../../src/observe/match-opportunity.ts';
import { readVendorRecord } from '../../src/observe/read-sides.ts';
import { matchPorts, noteUnclearMatch } from '../opportunity/match-opportunity.ts';
import { mayConcernAll } from '../outage/answers-probes.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps, TenantArgs } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { backfillOf } from './backfill-state.ts';

export type MatchVendorRecordArgs = TenantArgs & { readonly vendorId: string };

export const NOTHING: Matched = { crmIds: [], as: 'noted' };
/**
 * How long to wait, in ms, before a vendor record is matched again, if Lockstep is currently creating the vendor record of an opportunity
 * that may match it.
 */
const RETRY_MS = 5_000;

/**
 * Reads a vendor record and finds its opportunity: by the partner reference (the CRM's record id, stored at the vendor), else by the
 * tenant's matching keys. The backfill matches all records before it creates any record, so that it creates no duplicates. An ambiguous
 * record is parked (it waits for a person). Returns null if the record was matched, or the failure if the vendor has not answered about
 * it. Rejects with other failures that may pass.
 */
export function createMatchOne(deps: ActivityDeps) {
  return async function matchOne({ tenant, vendorId }: MatchVendorRecordArgs): Promise<ApplicationFailure | null> {
    await refuseWhilePaused(deps, tenant, 'records');
    let matched: Matched = NOTHING;
    try {
      matched = await matchOf(deps, tenant, vendorId);
    } catch (error) {
      const classified = toFailure(error);
      if (classified instanceof ApplicationFailure && PASSES.has(String(classified.type))) {
        if (classified.type === 'TRANSIENT' && mayConcernAll(error)) return classified;
        throw classified;
      }
      // One faulty record does not stop the others. Its own workflow reports the fault.
      log.warn('a record was not matched before its turn', { tenant, reason: classified.name });
    }
    await deps.ledger.noteMatched(tenant, vendorId, matched);
    return null;
  };
}

const PASSES: ReadonlySet<string> = new Set(['SYSTEMIC', 'THROTTLED', 'TRANSIENT']);

async function matchOf(deps: ActivityDeps, tenant: string, vendorId: string): Promise<Matched> {
  const { ledger } = deps;
  const known = await ledger.findLinkByIds(tenant, { vendorId });
  if (known !== null && known.crmId !== null) return { crmIds: [known.crmId], as: 'linked' };
  const observation = await read(deps, tenant, vendorId);
  if (observation === null) return NOTHING;
  const { reference } = observation;
  const separated = await ledger.barredFrom(tenant, { vendorId });
  if (
    reference !== null &&
    referenceKind(reference, deps.runtime(tenant).tenant.mapping) === 'ours' &&
    !separated.includes(reference)
  ) {
    await ledger.resolveLink(tenant, { crmId: reference, vendorId }, deps.now());
    return { crmIds: [reference], as: 'linked' };
  }
  const runtime = deps.runtime(tenant);
  return noted(deps, tenant, observation, await matchByKeys(matchPorts(deps, runtime), observation, separated));
}

async function read(deps: ActivityDeps, tenant: string, vendorId: string): Promise<VendorObservation | null> {
  const { order } = await backfillOf(deps, tenant);
  const { vendor, tenant: file } = deps.runtime(tenant);
  return readVendorRecord(vendor, vendorId, {
    mapping: file.mapping,
    ask: (send) => vendorRequest(deps, tenant, 'vendor-sales', send, { work: { bulk: order.share } }),
    now: deps.now,
  });
}

async function noted(
  deps: ActivityDeps,
  tenant: string,
  { vendorId }: VendorObservation,
  match: Match,
): Promise<Matched> {
  if (match.verdict === 'none') return NOTHING;
  if (match.verdict === 'busy')
    throw failure('TRANSIENT', 'a create of the matching opportunity is under way', {
      retryAfterMs: RETRY_MS,
    });
  if (match.verdict === 'written') {
    await deps.ledger.resolveLink(tenant, { crmId: match.crmId, vendorId }, deps.now());
    return { crmIds: [match.crmId], as: 'linked' };
  }
  const { link } = await deps.ledger.resolveLink(tenant, { vendorId }, deps.now());
  const matchedOn = deps.runtime(tenant).tenant.matching.keys.join(', ');
  if (match.verdict !== 'one') {
    await noteUnclearMatch(deps, link, match, matchedOn);
    return { crmIds: match.crmIds, as: 'settled' };
  }
  const { crmId } = match;
  const entry = adoptionLine(deps.now(), { matchedOn, candidates: 1, crmId, vendorId, outcome: 'noted' });
  await deps.ledger.addToJournal(tenant, link.key, entry);
  return { crmIds: [crmId], as: 'noted' };
}
