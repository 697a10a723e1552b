import type { FieldName } from '../../domain/record/canonical.ts';
import type { Intake } from '../../intake/intake.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import { findLinkOf } from './find-link.ts';
import { UnknownRecord } from './remote-records.ts';
import { CannotResolve, giveValue, type ResolvePorts } from './resolve-conflict.ts';

export type CorrectOrder = {
  /**
   * The records to correct, each given by an opportunity id, a vendor id, or the key of a link (stored pair of CRM record and vendor
   * record).
   */
  readonly ids: readonly string[];
  readonly field: FieldName;
  /** The value as Salesforce stores it. */
  readonly value: string;
};

export type FieldCorrected = {
  readonly shape: 'inbox-correct/1';
  readonly tenant: string;
  readonly field: FieldName;
  /**
   * The result for each record. `refused`: why the opportunity did not get the new value. Null if it got the value; the record is then
   * synced by the workflow `workflowId`.
   */
  readonly records: readonly {
    readonly id: string;
    readonly workflowId: string | null;
    readonly refused: string | null;
  }[];
};

export type CorrectPorts = Pick<ResolvePorts, 'setInCrm' | 'mapping'> & {
  readonly intake: Pick<Intake, 'requestSync'>;
  readonly ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds'>;
};

/**
 * Sets one field of several opportunities in Salesforce, as a sales person would, and syncs them. Meant for records that wait because of a
 * value of this field. If Salesforce refuses the value for one record, the other records still get it. Throws UnknownRecord before it
 * changes anything.
 */
export async function correctField(
  ports: CorrectPorts,
  tenant: string,
  { ids, field, value }: CorrectOrder,
  at: string,
): Promise<FieldCorrected> {
  const links = new Map<string, { readonly crmId: string | null }>();
  for (const id of ids) {
    const link = await findLinkOf(ports.ledger, tenant, id);
    if (link === null) throw new UnknownRecord(`${id} is no record that Lockstep knows.`);
    links.set(id, link);
  }
  const records: FieldCorrected['records'][number][] = [];
  for (const [id, { crmId }] of links) {
    const refused = await giveValue(ports, crmId, field, value).then(() => null, refusalOf);
    const isDone = refused === null && crmId !== null;
    const workflowId = isDone ? (await ports.intake.requestSync(tenant, { crmId }, at)).workflowId : null;
    records.push({ id, workflowId, refused });
  }
  return { shape: 'inbox-correct/1', tenant, field, records };
}

function refusalOf(error: unknown): string {
  if (error instanceof CannotResolve) return error.message;
  throw error;
}
