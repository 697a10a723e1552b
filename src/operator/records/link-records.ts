import { adoptionLine } from '../../domain/evolve/journal-lines.ts';
import type { PickedSide } from '../../domain/record/pick.ts';
import { scopeOf } from '../../domain/record/scope.ts';
import type { Intake } from '../../intake/intake.ts';
import type { LinkIds, LinkLedger } from '../../ledger/links/link-ledger.ts';
import { type RemoteRecords, UnknownRecord } from './remote-records.ts';

export type RecordsLinked = {
  readonly tenant: string;
  readonly crmId: string;
  readonly vendorId: string;
  readonly workflowId: string;
  /** Why the opportunity is out of scope (not shared with the vendor), so that nothing is synced yet; null if it is in scope. */
  readonly waitsFor: string | null;
};

/** Thrown if the two records cannot be linked now, because one is linked to a third record or a create at the vendor may be under way. */
export class CannotLink extends Error {
  override readonly name = 'CannotLink';
}

export type LinkPorts = {
  readonly intake: Pick<Intake, 'requestSync'>;
  readonly ledger: Pick<LinkLedger, 'findLinkByIds' | 'adopt' | 'waitingFor'>;
  readonly remote: RemoteRecords;
};

/**
 * Links an opportunity and a vendor record that an operator chose, even if an operator separated them before. The pair has no base (last
 * agreed values). If values differ, the side `prefer` wins, or the field's conflict rule decides if `prefer` is null. Records that waited
 * for one of the two are synced too. Repeatable. Throws UnknownRecord, CannotLink.
 */
export async function linkRecords(
  ports: LinkPorts,
  tenant: string,
  ids: { readonly crmId: string; readonly vendorId: string },
  prefer: PickedSide | null,
  at: string,
): Promise<RecordsLinked> {
  const { crmId, vendorId } = ids;
  const opportunity = await ports.remote.opportunity(crmId);
  if (opportunity === null) throw new UnknownRecord(`There is no opportunity ${crmId} in the org of ${tenant}.`);
  if (!(await ports.remote.hasVendorRecord(vendorId)))
    throw new UnknownRecord(`The vendor shows no record ${vendorId} to ${tenant}.`);
  const isThere = await isLinked(ports, tenant, ids);
  // Reads which records wait for one of the two before the link is stored, because storing the link deletes this information.
  const twins = await waitingBeside(ports, tenant, ids);
  if (!isThere) {
    const entry = adoptionLine(at, { matchedOn: 'operator', candidates: 1, prefer, ...ids });
    const linked = await ports.ledger.adopt(tenant, ids, entry, { word: { prefer } });
    if (linked === null)
      throw new CannotLink(
        `A create of ${crmId} at the vendor may be under way: look at lockstep status, and try again.`,
      );
  }
  const { workflowId } = await ports.intake.requestSync(tenant, { crmId }, at);
  for (const twin of twins) await ports.intake.requestSync(tenant, twin, at);
  const scope = scopeOf(opportunity);
  return { tenant, crmId, vendorId, workflowId, waitsFor: scope.inScope ? null : scope.reason };
}

/**
 * Whether the opportunity and the vendor record are already linked to each other. Throws CannotLink if one of them is linked to a third
 * record.
 */
async function isLinked(
  { ledger }: LinkPorts,
  tenant: string,
  { crmId, vendorId }: { readonly crmId: string; readonly vendorId: string },
): Promise<boolean> {
  const byCrm = await ledger.findLinkByIds(tenant, { crmId });
  if (byCrm !== null && byCrm.vendorId === vendorId) return true;
  if (byCrm !== null && byCrm.vendorId !== null)
    throw new CannotLink(`${crmId} is linked to the vendor record ${byCrm.vendorId}.`);
  const byVendor = await ledger.findLinkByIds(tenant, { vendorId });
  if (byVendor !== null && byVendor.crmId !== null)
    throw new CannotLink(`${vendorId} is linked to the opportunity ${byVendor.crmId}.`);
  return false;
}

/**
 * Ids of further records to sync, because they waited for one of the two linked records: other opportunities that may match the vendor
 * record, and other vendor records that may match the opportunity.
 */
async function waitingBeside(
  { ledger }: LinkPorts,
  tenant: string,
  { crmId, vendorId }: { readonly crmId: string; readonly vendorId: string },
): Promise<readonly LinkIds[]> {
  const record = await ledger.findLinkByIds(tenant, { vendorId });
  const candidates = new Set(record?.issues.flatMap((issue) => issue.candidates ?? []) ?? []);
  candidates.delete(crmId);
  const links = [];
  for (const candidate of candidates) links.push(await ledger.findLinkByIds(tenant, { crmId: candidate }));
  const waiting = (await ledger.waitingFor(tenant, [crmId])).get(crmId) ?? [];
  return [
    // Leaves out opportunities without a link: they were never shared with the vendor, so nothing is to be synced.
    ...links.flatMap((link) => (link?.crmId == null || link.vendorId !== null ? [] : [{ crmId: link.crmId }])),
    ...waiting.flatMap((other) => (other.vendorId === vendorId ? [] : [{ vendorId: other.vendorId }])),
  ];
}
