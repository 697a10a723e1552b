import { type AuditPeriod, isProven } from '../../src/domain/audit/audit-period.ts';
import type { AuditPart } from '../../src/domain/audit/audit-result.ts';
import type { AuditRun } from '../../src/domain/audit/audit-run.ts';
import type { AuditCause } from '../../src/domain/audit/causes.ts';
import { notCompared, unseenAtVendor } from '../../src/domain/audit/compare-sides.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { VendorObservation } from '../../src/domain/record/observation.ts';
import { isVendorId } from '../../src/domain/record/vendor-id.ts';
import type { AuditedLink } from '../../src/ledger/links/audit-ledger.ts';
import { readVendorRecord, vendorIdsModified } from '../../src/observe/read-sides.ts';
import { settle } from '../opportunity/settle.ts';
import { refuseWhilePaused } from '../outage/refuse-while-paused.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { type Found, noteFound } from './compared.ts';

/** How many links (stored pairs of an opportunity and a vendor record) are read from the ledger (Lockstep's database) at once. */
const CHUNK = 500;

export type AuditPeriodArgs = {
  readonly run: AuditRun;
  readonly period: AuditPeriod;
  readonly lateMs: number;
};
/**
 * The result of one vendor search over a period of modification time. `found`: how many records the search found. `seen`: how many of the
 * found records belong to linked pairs.
 */
export type SearchedPeriod = { readonly part: AuditPart; readonly found: number; readonly seen: number };

/**
 * Searches the vendor records that were modified in one period. Stores which of these records were not modified after Lockstep last read
 * them; the audit need not read these again. Returns how many records the search found, and how many of them belong to linked pairs or to
 * no link.
 */
export function createAuditVendorPeriod(deps: ActivityDeps) {
  return async function auditVendorPeriod({ run, period, lateMs }: AuditPeriodArgs): Promise<SearchedPeriod> {
    const { tenant, startedAt } = run;
    await refuseWhilePaused(deps, tenant, 'records');
    const { vendor } = deps.runtime(tenant);
    const ids = await vendorIdsModified(vendor, period, (send) =>
      vendorRequest(deps, tenant, 'vendor-sales', send),
    ).catch((error: unknown) => {
      throw toFailure(error);
    });
    const usable = [...new Set(ids.filter(isVendorId))];
    let [seen, known] = [0, 0];
    for (let start = 0; start < usable.length; start += CHUNK) {
      const links = await deps.ledger.auditedLinks(tenant, { vendorIds: usable.slice(start, start + CHUNK) });
      const proven = links.filter((one) => isAsRead(one, period, lateMs)).map(({ link }) => link.key);
      await deps.ledger.noteAudited(tenant, proven, 'vendor', startedAt);
      seen += links.filter(({ link }) => link.crmId !== null && link.state !== 'detached').length;
      known += links.length;
    }
    const part = { unlinked: { vendor: usable.length - known }, asked: { vendorSearches: 1 } };
    return { part, found: usable.length, seen };
  };
}

function isAsRead({ link, provenAt }: AuditedLink, period: AuditPeriod, lateMs: number): boolean {
  const { vendorObservation: reading, vendorDue, vendorInDoubt } = link;
  if (reading === null || vendorDue || vendorInDoubt !== 'no') return false;
  const knownAt = provenAt !== null && provenAt > reading.readAt ? provenAt : reading.readAt;
  return isProven({ version: reading.version, knownAt }, period, lateMs);
}

export type AuditRecordArgs = { readonly run: AuditRun; readonly vendorId: string };

/**
 * Reads a vendor record that no search has proved unmodified, and compares it with the values on which the CRM and the vendor last agreed.
 * Stores whether it differs. Returns the counts for this record, such as `differing: 1`. If the pair cannot be compared now, reads nothing
 * and counts the pair as `underWay` or `explained`.
 */
export function createAuditVendorRecord(deps: ActivityDeps) {
  return async function auditVendorRecord({ run, vendorId }: AuditRecordArgs): Promise<AuditPart> {
    const { tenant } = run;
    await refuseWhilePaused(deps, tenant, 'records');
    const before = await linkOf(deps, tenant, vendorId);
    const why = before === null ? null : notCompared(before);
    if (before === null || before.crmId === null) return {};
    if (why !== null) return why === 'explained' ? { explained: 1 } : { underWay: 1 };
    const readAt = deps.now();
    const { vendor, tenant: of } = deps.runtime(tenant);
    const observation = await readVendorRecord(vendor, vendorId, {
      mapping: of.mapping,
      ask: (send) => vendorRequest(deps, tenant, 'vendor-sales', send),
      now: deps.now,
    }).catch((error: unknown) => {
      throw toFailure(error);
    });
    const part = await judge(deps, run, await linkOf(deps, tenant, vendorId), observation, readAt);
    return { ...part, asked: { vendorReads: 1 } };
  };
}

async function linkOf(deps: ActivityDeps, tenant: string, vendorId: string): Promise<Link | null> {
  const [found] = await deps.ledger.auditedLinks(tenant, { vendorIds: [vendorId] });
  return found?.link ?? null;
}

async function judge(
  deps: ActivityDeps,
  run: AuditRun,
  link: Link | null,
  observation: VendorObservation | null,
  readAt: string,
): Promise<AuditPart> {
  // A write whose outcome was stored meanwhile may be based on another snapshot.
  if (link === null || notCompared(link) !== null || link.updatedAt >= readAt) return { underWay: 1 };
  if (observation === null) return noteFound(deps, run, [differing(link, 'vendor-record-gone', [])]);
  const { tenant: of } = deps.runtime(run.tenant);
  const { fields, isNews, isRestored } = unseenAtVendor(link, observation, mappingOf(of.mapping, link.crmId));
  if (fields.length > 0) {
    const { everyMs, overlapMs } = of.vendor.poll;
    const knownVersion = isRestored ? link.vendorObservation?.readAt : observation.version;
    // The poll may still report the change, and a read may return an old state.
    if (Date.parse(deps.now()) - Date.parse(knownVersion ?? '') < everyMs + overlapMs) return { underWay: 1 };
    if (!isRestored) return noteFound(deps, run, [differing(link, 'vendor-change-unseen', fields)]);
    if (run.room > 0) await settle(deps, link, { type: 'restored-at-vendor' });
    return noteFound(deps, run, [differing(link, 'vendor-record-restored', fields)]);
  }
  if (!isNews) await deps.ledger.noteAudited(run.tenant, [link.key], 'vendor', run.startedAt);
  // The version is new, but no value differs. The record's workflow reads the record, so that the next search can prove it unmodified.
  else if (run.room > 0) await rereadRecord(deps, run.tenant, String(link.vendorId));
  return {};
}

async function rereadRecord(deps: ActivityDeps, tenant: string, vendorId: string): Promise<void> {
  await deps.wake(tenant, await deps.ledger.markDue(tenant, [{ vendorId }], deps.now()), 'vendor');
}

function differing({ key, crmId, vendorId }: Link, cause: AuditCause, fields: readonly string[]): Found {
  return { key, wakeSide: 'vendor', difference: { cause, crmId, vendorId, fields } };
}
