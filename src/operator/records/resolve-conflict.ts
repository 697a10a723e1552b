import { isOnLead } from '../../domain/mapping/leads/lead-fields.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { FieldKind } from '../../domain/record/field-spec.ts';
import { FIELDS } from '../../domain/record/fields.ts';
import type { Link } from '../../domain/record/link.ts';
import { type CrmNames, crmFieldOf } from '../../domain/record/mapping-config.ts';
import type { PickedSide } from '../../domain/record/pick.ts';
import { isLeadId } from '../../domain/record/salesforce-id.ts';
import type { Intake } from '../../intake/intake.ts';
import type { LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { PauseLedger } from '../../ledger/quota/quota-ledger.ts';
import { findLinkOf } from './find-link.ts';
import { UnknownRecord } from './remote-records.ts';
import { type RecordOutcome, whenSettled } from './when-settled.ts';

/** How to decide a conflict: by the side (CRM or vendor) whose value wins, or by a new value for both, written as Salesforce stores it. */
export type Take = PickedSide | { readonly value: string };

export type ResolveOrder = {
  readonly id: string;
  readonly field: FieldName;
  readonly take: Take;
  /** How long to wait until the record is synced, in milliseconds; 0 does not wait. */
  readonly waitMs: number;
};

export type ConflictResolved = {
  readonly shape: 'conflict-resolved/1';
  readonly tenant: string;
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly field: FieldName;
  readonly take: PickedSide | 'value';
  readonly workflowId: string;
  /** The state of the record after its sync; null if the command does not wait for the sync. */
  readonly outcome: RecordOutcome | null;
};

/**
 * Thrown if the field has no open conflict, or if the conflict cannot be decided in the requested way, for example because Salesforce
 * refuses the new value.
 */
export class CannotResolve extends Error {
  override readonly name = 'CannotResolve';
}

export type ResolvePorts = {
  readonly intake: Pick<Intake, 'requestSync'>;
  readonly ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds' | 'pickSide'> & Pick<PauseLedger, 'pauses'>;
  /** Sets one field of an opportunity, as a sales person would. Throws CannotResolve if Salesforce refuses the value. */
  readonly setInCrm: (crmId: string, crmField: string, value: string) => Promise<void>;
  readonly mapping: CrmNames;
  readonly pause: (ms: number) => Promise<void>;
};

/**
 * Decides the open conflict of a field: the value of the CRM or of the vendor wins, or both get a new value. Then requests a sync of the
 * record. Throws UnknownRecord, CannotResolve.
 */
export async function resolveConflict(
  ports: ResolvePorts,
  tenant: string,
  { id, field, take, waitMs }: ResolveOrder,
  at: string,
): Promise<ConflictResolved> {
  const { intake, ledger } = ports;
  const link = await findLinkOf(ledger, tenant, id);
  if (link === null) throw new UnknownRecord(`${id} is no record that Lockstep knows.`);
  requireConflict(link, field, id);
  if (typeof take === 'object') await giveValue(ports, link.crmId, field, take.value);
  const side = typeof take === 'object' ? 'crm' : take;
  const summary = { trigger: 'operator', next: 'nothing', reason: `picked ${side} for ${field}` };
  const entry = { at, kind: 'decision', summary, decisions: [] } as const;
  if (!(await ledger.pickSide(tenant, link.key, { field, side }, entry))) throw none(field, id);
  const ids = link.crmId === null ? { vendorId: String(link.vendorId) } : { crmId: link.crmId };
  const { workflowId } = await intake.requestSync(tenant, ids, at);
  const outcomes = await whenSettled(ports, tenant, new Map([[id, ids]]), waitMs);
  return {
    shape: 'conflict-resolved/1',
    tenant,
    key: link.key,
    crmId: link.crmId,
    vendorId: link.vendorId,
    field,
    take: typeof take === 'object' ? 'value' : take,
    workflowId,
    outcome: outcomes.get(id) ?? null,
  };
}

function requireConflict({ base }: Link, field: FieldName, id: string): void {
  if (base?.held?.[field] === undefined) throw none(field, id);
}

function none(field: FieldName, id: string): CannotResolve {
  return new CannotResolve(
    `No conflict of ${id} waits in ${field}: lockstep conflicts lists those that do, lockstep explain ${id} says why.`,
  );
}

/** Kinds of fields whose value is not stored in a single field of the opportunity. A command cannot set such a value in Salesforce. */
const NOT_ONE_FIELD: ReadonlySet<FieldKind> = new Set(['lines', 'entity', 'customer-contacts', 'partner-contacts']);

/**
 * Sets a field of an opportunity or lead in Salesforce. Throws CannotResolve if the value is not stored in a single field of the record, or
 * if Salesforce refuses the value.
 */
export async function giveValue(
  { setInCrm, mapping }: Pick<ResolvePorts, 'setInCrm' | 'mapping'>,
  crmId: string | null,
  field: FieldName,
  value: string,
): Promise<void> {
  const { kind } = FIELDS[field];
  // Leads have only the fields of the CRM package. Fields that a tenant chose itself exist on opportunities only.
  const crm = isLeadId(crmId) ? FIELDS[field].crm : crmFieldOf(field, mapping);
  if (crmId === null || NOT_ONE_FIELD.has(kind) || crm === 'Account')
    throw new CannotResolve(`${field} is no field of the opportunity itself: take crm or vendor, or edit it there.`);
  if (isLeadId(crmId) && !isOnLead(field))
    throw new CannotResolve(
      `A lead has no field for ${field}: convert ${crmId}, then set the value on its opportunity.`,
    );
  return setInCrm(crmId, crm, value);
}
