import { unsetOf } from '../mapping/index.ts';
import { sameValue } from '../mapping/same-value.ts';
import type { Base, LeftOnLead } from '../record/base.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { FIELD_NAMES } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { isLeadId } from '../record/salesforce-id.ts';
import { isLeadStatus } from '../values/status.ts';
import { withPairs } from './line-pairs.ts';

/**
 * A move of a deal from a lead to the CRM record that the lead became. `refused`: why edits of the lead could not be written there.
 * `firstStageUntil`: see `Base`.
 */
export type MoveOfLead = {
  readonly leadId: string;
  readonly crmId: string;
  readonly firstStageUntil?: string;
  readonly refused?: Omit<LeftOnLead, 'leadId'> | null;
};

/** The org's automations may still set the stage this long after a conversion, in ms. Users take longer. */
const AUTOMATIONS_MS = 5_000;

/**
 * Until when the stage of an opportunity is no user's choice. Usually for five seconds after Lockstep completes the conversion, because its
 * write may start automations. If a user has changed the stage before that, for five seconds after the conversion. `opportunity`: as it was
 * before Lockstep's write.
 */
export function firstStageUntil(lead: CrmFields | null, opportunity: CrmFields, now: string): string {
  const untilMs = Date.parse(String(lead?.['SystemModstamp'])) + AUTOMATIONS_MS;
  if (Number.isNaN(untilMs) || !isLaterStage(opportunity, untilMs))
    return new Date(Date.parse(now) + AUTOMATIONS_MS).toISOString();
  return new Date(untilMs).toISOString();
}

/** Whether the stage was changed later. False if the org does not say: its API version is below 52.0, or the field is hidden. */
function isLaterStage({ LastStageChangeDate: changed }: CrmFields, thanMs: number): boolean {
  return typeof changed === 'string' && Date.parse(changed) > thanMs;
}

/**
 * Marks the base (last agreed values) as coming from a lead whose deal is now another CRM record. The mark makes the next comparison use
 * `afterConversion`. The id of a lead's only line is the lead's id. If the lead was merged into another lead, the line's id becomes the id
 * of that lead.
 */
export function converted(known: Base, move: MoveOfLead): Base {
  const { leadId, crmId, refused = null, firstStageUntil: until } = move;
  const base = withImportTaken(known, leadId);
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

/**
 * The base (last agreed values) of a lead whose import has no answer: both sides agree on the values that the import sent. The record that
 * the lead became cannot show what the import made.
 */
function withImportTaken(known: Base, leadId: string): Base {
  const { inDoubtCrmWrites: writes, ...base } = known;
  const sent = writes?.basedOnVersion === null ? writes.sent.at(-1) : undefined;
  if (sent === undefined) return known;
  const { crm, vendor } = sent;
  const lines = crm.offerLines?.map((line) => withId(line, leadId));
  return withPairs({ ...base, crm: lines === undefined ? crm : { ...crm, offerLines: lines }, vendor }, base);
}

function withId(line: OfferLine, crmLineId: string | undefined): OfferLine {
  return crmLineId === undefined ? line : { ...line, crmLineId };
}

/** What the new CRM record shows: its values and fields, and the vendor's status as last read (undefined if unknown). */
type Shown = { readonly crm: Observed; readonly fields: CrmFields; readonly status: unknown };

/**
 * The base (last agreed values) of a deal after its lead was converted or merged, for a comparison with the new record. Salesforce copies
 * only some fields. A field that is empty on the new record was not cleared by a user: the base then has no value for it, so that the
 * vendor's value fills it. A different value on the new record counts as an edit. A field that cannot be read now stays marked for a later
 * comparison. A field whose last edit is only on the lead keeps its agreed value. Pure.
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

/** The base (last agreed values) without the lead's line and status, because an opportunity has its own lines and stage. */
function withOwnParts(base: Base, read: readonly FieldName[], shown: Shown, config: MappingConfig): Base {
  const lines = read.includes('offerLines') ? { crm: without(base.crm, ['offerLines']), linePairs: [] } : {};
  const next = { ...base, ...lines };
  if (!read.includes('status')) return next;
  const { firstStageUntil: until, ...rest } = next;
  if (rest.crm.status === undefined) return rest;
  // The first stage may also stand for the lead's status, so nothing counts as agreed on the CRM's status.
  const own = { ...rest, crm: { ...rest.crm, status: null } };
  const isEdited = until !== undefined && isLaterStage(shown.fields, Date.parse(until));
  return isEdited ? own : withFirstStage(own, shown, config);
}

function without(record: Observed, fields: readonly FieldName[]): Observed {
  const kept = Object.entries(record).filter(([field]) => !fields.includes(field as FieldName));
  return Object.fromEntries(kept) as Observed;
}

/**
 * If the vendor's status is no longer a lead's, the opportunity's present stage counts as agreed on both sides. Salesforce gives every new
 * opportunity its first stage, so the stage is no user's edit, and the vendor's status may change it.
 */
function withFirstStage(base: Base, { crm, status }: Shown, config: MappingConfig): Base {
  const { status: first } = crm;
  if (typeof status !== 'string' || typeof first !== 'string' || isLeadStatus(status, config)) return base;
  return { ...base, crm: { ...base.crm, status: first }, vendor: { ...base.vendor, status: first } };
}
