import { unsetOf } from '../mapping/index.ts';
import { sameValue } from '../mapping/same-value.ts';
import type { Base, LeftOnLead } from '../record/base.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { isLeadId } from '../record/salesforce-id.ts';
import { isLeadStatus } from '../values/status.ts';

/**
 * The move of a deal from a lead to the CRM record that the lead became when it was converted or merged. `refused`: the fields whose lead
 * values the CRM refused to store in that record, and why; null or absent if it refused none. `firstStageUntil`: until when (ISO) a change
 * of the stage is no user's edit.
 */
export type MoveOfLead = {
  readonly leadId: string;
  readonly crmId: string;
  readonly firstStageUntil?: string;
  readonly refused?: Omit<LeftOnLead, 'leadId'> | null;
};

/**
 * For this long after a conversion, in ms, a change of the new opportunity's stage counts as a change by the org's automations. A later
 * change counts as a user's edit, because users take longer.
 */
const AUTOMATIONS_MS = 5_000;

/**
 * The instant (ISO) until which a change of the new opportunity's stage counts as an automation's change and not as a user's choice.
 * Usually this is five seconds after `now`, the time at which Lockstep writes to the new opportunity. The write may start automations of
 * the org, and these need some seconds. But a user may already have changed the stage before Lockstep's write. This is assumed if the last
 * change was made more than five seconds after the lead's conversion. In this case, the instant is five seconds after the conversion, so
 * that the change counts as the user's choice. `opportunity`: the record before Lockstep's write.
 */
export function firstStageUntil(lead: CrmFields | null, opportunity: CrmFields, now: string): string {
  const untilMs = Date.parse(String(lead?.['SystemModstamp'])) + AUTOMATIONS_MS;
  if (Number.isNaN(untilMs) || !isLaterStage(opportunity, untilMs))
    return new Date(Date.parse(now) + AUTOMATIONS_MS).toISOString();
  return new Date(untilMs).toISOString();
}

/**
 * Whether the opportunity's stage was changed later than `thanMs` (epoch ms). False if the org does not return when the stage changed,
 * because its API version is below 52.0 or the field is hidden.
 */
function isLaterStage({ LastStageChangeDate: changed }: CrmFields, thanMs: number): boolean {
  return typeof changed === 'string' && Date.parse(changed) > thanMs;
}

/**
 * The base (last agreed values) of a deal whose lead was converted or merged, so that the deal now has another CRM record. It has the note
 * `fromLead`, so that the next comparison of the sides treats fields that Salesforce did not copy as not edited (`afterConversion`). The
 * base of a lead has at most one line, and this line has the lead's id. If the lead was merged into another lead, the line gets the other
 * lead's id, so that it still counts as the same line. If the lead became an opportunity, the line stays until `afterConversion` removes
 * it.
 */
export function converted(base: Base, move: MoveOfLead): Base {
  const { leadId, crmId, refused = null, firstStageUntil: until } = move;
  if (!isLeadId(crmId))
    return {
      ...base,
      ...{ fromLead: true, ...(until === undefined ? {} : { firstStageUntil: until }) },
      ...(refused === null ? {} : { leftOnLead: { leadId, ...refused } }),
    };
  const renamed = (id: string | undefined): string | undefined => (id === leadId ? crmId : id);
  const lines = base.crm.offerLines?.map((line) => withId(line, renamed(line.crmLineId)));
  return {
    ...base,
    fromLead: true,
    crm: lines === undefined ? base.crm : { ...base.crm, offerLines: lines },
    linePairs: base.linePairs.map((pair) => ({ ...pair, crmLineId: renamed(pair.crmLineId) ?? pair.crmLineId })),
  };
}

function withId(line: OfferLine, crmLineId: string | undefined): OfferLine {
  return crmLineId === undefined ? line : { ...line, crmLineId };
}

/**
 * The new CRM record as read (its values in the form that both sides share, and its CRM fields), and the vendor's status as last read
 * (undefined if unknown).
 */
type Shown = { readonly crm: Observed; readonly fields: CrmFields; readonly status: unknown };

/**
 * The base (last agreed values) of a deal after its lead was converted or merged, for a comparison with the new record. Salesforce copies
 * only some fields from a lead. So no user has cleared a field that is empty on the new record. The base then has no value for the field,
 * and the vendor's value fills it. A different value on the new record counts as an edit. If the CRM refused to store a lead's edit in the
 * new record, the base keeps the field's agreed value, so that the vendor's older value does not fill the field. `fromLead` names the
 * fields that must still be compared. Fields that cannot be read now stay in it for a later call. Pure.
 */
export function afterConversion(base: Base, shown: Shown, config: MappingConfig): Base {
  const { fromLead, ...rest } = base;
  if (fromLead === undefined) return base;
  const marked = fromLead === true ? FIELD_NAMES : fromLead;
  const unread = marked.filter((field) => shown.crm[field] === undefined);
  const read = marked.filter((field) => shown.crm[field] !== undefined);
  const { edited = [] } = base.leftOnLead ?? {};
  const empty = read.filter(
    (field) => !edited.includes(field) && sameValue(field, shown.crm[field], unsetOf(field), config),
  );
  const next = { ...rest, crm: without(base.crm, empty), ...(unread.length === 0 ? {} : { fromLead: unread }) };
  return config.of === 'lead' ? next : withOwnParts(next, read, shown, config);
}

/**
 * The base (last agreed values) of a deal whose lead became an opportunity. An opportunity has its own lines and stage. So the base loses
 * the lines that the lead had in the CRM, and its CRM status becomes unset (null). If no user has changed the opportunity's first stage,
 * this stage may count as agreed instead (`withFirstStage`). `read`: the fields that were read. If the lines or the status were not read,
 * the base keeps the lead's values for them.
 */
function withOwnParts(base: Base, read: readonly FieldName[], shown: Shown, config: MappingConfig): Base {
  const lines = read.includes('offerLines') ? { crm: without(base.crm, ['offerLines']), linePairs: [] } : {};
  const next = { ...base, ...lines };
  if (!read.includes('status')) return next;
  const { firstStageUntil: until, ...rest } = next;
  if (rest.crm.status === undefined) return rest;
  // The stage table may map the opportunity's first stage to the status of the lead. So the base gets an unset CRM
  // status (null), and a stage that a user chose counts as an edit.
  const own = { ...rest, crm: { ...rest.crm, status: null } };
  const isEdited = until !== undefined && isLaterStage(shown.fields, Date.parse(until));
  return isEdited ? own : withFirstStage(own, shown, config);
}

function without(record: Observed, fields: readonly FieldName[]): Observed {
  const kept = Object.entries(record).filter(([field]) => !fields.includes(field as FieldName));
  return Object.fromEntries(kept) as Observed;
}

/**
 * Stores the opportunity's present stage as the last agreed status of both sides, unless the vendor's present status is a status of a lead.
 * Salesforce gives every new opportunity a first stage, so this stage is no user's edit. If the vendor's present status differs from the
 * stored status, it counts as a vendor user's edit, and Lockstep writes it to the CRM.
 */
function withFirstStage(base: Base, { crm, status }: Shown, config: MappingConfig): Base {
  const { status: first } = crm;
  if (typeof status !== 'string' || typeof first !== 'string' || isLeadStatus(status, config)) return base;
  return { ...base, crm: { ...base.crm, status: first }, vendor: { ...base.vendor, status: first } };
}
