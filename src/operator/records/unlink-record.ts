import type { Intake } from '../../intake/intake.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import { findLinkOf } from './find-link.ts';
import { UnknownRecord } from './remote-records.ts';

export type RecordsUnlinked = {
  readonly tenant: string;
  readonly crmId: string;
  readonly vendorId: string;
  /** The Temporal ids of the two workflows that sync the separated records: first the opportunity's, then the vendor record's. */
  readonly workflowIds: readonly [string, string];
};

/** Thrown if the record is not linked, or was linked to another record meanwhile. */
export class CannotUnlink extends Error {
  override readonly name = 'CannotUnlink';
}

export type UnlinkPorts = {
  readonly intake: Pick<Intake, 'requestSync'>;
  readonly ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds' | 'barredFrom' | 'unlink'>;
};

/**
 * Separates two linked records until an operator links them again. `id`: the id of either record, or the link's key. Throws UnknownRecord,
 * CannotUnlink.
 */
export async function unlinkRecord(
  { intake, ledger }: UnlinkPorts,
  tenant: string,
  id: string,
  at: string,
): Promise<RecordsUnlinked> {
  const link = await findLinkOf(ledger, tenant, id);
  if (link === null) throw new UnknownRecord(`Nothing is known of ${id} in ${tenant}.`);
  const { crmId, vendorId } = link;
  if (crmId === null || vendorId === null) throw new CannotUnlink(await whyNot(ledger, tenant, id, link));
  if (!(await ledger.unlink(tenant, { crmId, vendorId }, at)))
    throw new CannotUnlink(`${id} was linked otherwise meanwhile: look at it, and try again.`);
  const opportunity = await intake.requestSync(tenant, { crmId }, at);
  const record = await intake.requestSync(tenant, { vendorId }, at);
  return { tenant, crmId, vendorId, workflowIds: [opportunity.workflowId, record.workflowId] };
}

async function whyNot(
  ledger: UnlinkPorts['ledger'],
  tenant: string,
  id: string,
  { crmId, vendorId }: { readonly crmId: string | null; readonly vendorId: string | null },
): Promise<string> {
  const side = crmId === null ? { vendorId: String(vendorId) } : { crmId };
  const from = await ledger.barredFrom(tenant, side);
  const since = from.length === 0 ? '' : `, and was separated from ${from.join(', ')}`;
  return `${id} is linked to no record of the other side${since}.`;
}
