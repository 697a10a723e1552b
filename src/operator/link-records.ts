import { adoptionLine } from '../domain/evolve/journal-lines.ts';
import type { PickedSide } from '../domain/record/pick.ts';
import { scopeOf } from '../domain/record/scope.ts';
import type { Intake } from '../intake/intake.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type RemoteRecords, UnknownRecord } from './remote-records.ts';

export type RecordsLinked = {
  readonly tenant: string;
  readonly crmId: string;
  readonly vendorId: string;
  readonly workflowId: string;
  /** Why nothing travels yet, although they are linked; null where it does. */
  readonly waitsFor: string | null;
};

/** Two records that cannot be made one deal now. */
export class CannotLink extends Error {
  override readonly name = 'CannotLink';
}

export type LinkPorts = {
  readonly intake: Pick<Intake, 'lookAgain'>;
  readonly ledger: Pick<Ledger, 'findLinkByIds' | 'adopt'>;
  readonly remote: RemoteRecords;
};

/**
 * Makes an opportunity and a vendor record one deal, on a person's word, also one that a person had separated. What the two
 * have agreed on is nothing yet, so the usual merge decides; where both have a value and they differ, the side that is
 * preferred stays, if one is. Throws UnknownRecord where one of them does not exist, CannotLink where one is another deal's.
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
  if (opportunity === null)
    throw new UnknownRecord(`There is no opportunity ${crmId} in the org of ${tenant}.`);
  if (!(await ports.remote.hasVendorRecord(vendorId)))
    throw new UnknownRecord(`The vendor shows no record ${vendorId} to ${tenant}.`);
  if (!(await isLinked(ports, tenant, ids))) {
    const entry = adoptionLine(at, { matchedOn: 'operator', candidates: 1, prefer, ...ids });
    const linked = await ports.ledger.adopt(tenant, ids, entry, { prefer });
    if (linked === null)
      throw new CannotLink(
        `A create of ${crmId} at the vendor may be under way: look at lockstep status, and try again.`,
      );
  }
  const { workflowId } = await ports.intake.lookAgain(tenant, { crmId }, at);
  const scope = scopeOf(opportunity);
  return { tenant, crmId, vendorId, workflowId, waitsFor: scope.inScope ? null : scope.reason };
}

/** Whether the two are one deal already. */
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
