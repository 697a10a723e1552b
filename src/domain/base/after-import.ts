import { nameCreatedLines, pairLines } from '../lines/pair-lines.ts';
import { afterCrmCreate, observeCrm, sameValue, unsetOf } from '../mapping/index.ts';
import { leadMapping } from '../mapping/leads/lead-mapping.ts';
import { isEchoOf } from '../merge/normalised.ts';
import type { Base, InDoubtWrites } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmFields } from '../record/crm-graph.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation } from '../record/observation.ts';
import { crmVersionOf } from '../record/observation.ts';
import type { CrmImport } from '../record/plan.ts';
import { sameId } from '../record/salesforce-id.ts';
import { withPairs } from './line-pairs.ts';
import { withStatus } from './linked-reading.ts';

/**
 * The values on which both sides agree after an import (create of a vendor-created deal in the CRM) whose answer was lost. Each field of
 * the opportunity is compared with the values that all attempts of the import sent:
 *
 * - The field shows a value that an attempt sent: both sides agree on this value.
 * - It shows another value, and the attempts sent different values: the agreed value is unknown, and the field is left out.
 * - It shows another value, all attempts sent one value, and surely no user has saved the opportunity since: both sides agree on the shown
 *   value.
 * - It shows another value, all attempts sent one value, and a user may have saved the opportunity since: both sides agree on the sent
 *   value, so that the shown value counts as a user's edit.
 *
 * Undefined if the opportunity shows at most half of the values even of the attempt that it matches best, because a user may have linked it
 * manually.
 */
export function agreedByImport(
  { sent, isSavedAgain = false }: InDoubtWrites,
  observation: CrmObservation,
  config: MappingConfig,
): Pick<Base, 'crm' | 'vendor'> | undefined {
  const observed = observation.record;
  const value = (one: InDoubtWrites['sent'][number], field: FieldName): unknown => one.crm[field] ?? unsetOf(field);
  const shows = (one: InDoubtWrites['sent'][number], field: FieldName): boolean =>
    isEchoOf(field, { [field]: value(one, field) }, observed, config);
  const score = (one: InDoubtWrites['sent'][number]): number =>
    (Object.keys(one.crm) as FieldName[]).filter((field) => shows(one, field)).length;
  const best = sent.toSorted((one, other) => score(other) - score(one))[0];
  if (best === undefined || 2 * score(best) <= Object.keys(best.crm).length) return undefined;
  const crm: Record<string, unknown> = {};
  const vendor: Record<string, unknown> = {};
  const isAsMade = !isSavedAgain && isUntouched(observation);
  for (const field of FIELD_NAMES) {
    const match = sent.find((one) => shows(one, field));
    const isOne = sent.every((one) => sameValue(field, value(one, field), value(best, field), config));
    if (match === undefined && !isOne) continue;
    const wasMade = match !== undefined || isAsMade;
    crm[field] = wasMade ? asMade(field, best.crm, observation) : value(best, field);
    vendor[field] = (match ?? best).vendor[field];
  }
  const lines = linesAfterImport(best.crm, observed, config);
  return { crm: { ...defined(crm), ...lines }, vendor: defined(vendor) };
}

function defined(record: Readonly<Record<string, unknown>>): Observed {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Observed;
}

/**
 * The base (last agreed values) after an import (create of a vendor-created deal in the CRM), computed from the first read of the new
 * opportunity. If no user but Lockstep's integration user has saved it, both sides agree on every value in it, even on values that the CRM
 * filled in. If another user has saved it, they agree only on the values that the import sent. Every other value then counts as an edit.
 */
export function baseAfterImport(
  { create, baseAfter }: Pick<CrmImport, 'create' | 'baseAfter'>,
  shown: CrmObservation,
  config: MappingConfig,
): Base {
  const crm = withStatus(shown, [baseAfter.vendor.status], config);
  const agreed = (record: Observed): Base =>
    withPairs({ ...baseAfter, crm: record, crmVersion: crmVersionOf(crm) }, baseAfter);
  const sent = createdInCrm({ create, baseAfter }, config).record;
  const lines = linesAfterImport(sent, crm.record, config);
  if (isUntouched(crm)) {
    const made = FIELD_NAMES.map((field) => [field, asMade(field, sent, crm)]);
    return agreed({ ...defined(Object.fromEntries(made)), ...lines });
  }
  const known = FIELD_NAMES.filter((field) => crm.record[field] !== undefined).map((field) => {
    const made = sent[field] ?? unsetOf(field);
    return [field, isEchoOf(field, { [field]: made }, crm.record, config) ? crm.record[field] : made];
  });
  return agreed({ ...(Object.fromEntries(known) as Observed), ...lines });
}

/**
 * The CRM's record as Lockstep expects to read it after an import (create of a vendor-created deal in the CRM). It is computed from the
 * rows that the import sends. If a later read differs from it, the CRM or a user changed the value.
 */
export function createdInCrm(
  { create, baseAfter }: Pick<CrmImport, 'create' | 'baseAfter'>,
  mapping: MappingConfig,
): CrmObservation {
  const config = create.as === 'lead' ? leadMapping(mapping) : mapping;
  return withStatus(observeCrm(afterCrmCreate(create), config), [baseAfter.vendor.status], config);
}

/**
 * Whether Lockstep's integration user created the opportunity and was also the last user to save it. False if the integration user's id is
 * unknown.
 */
export function isUntouched({ graph: { opportunity, readBy = null } }: CrmObservation): boolean {
  const { CreatedById: maker, LastModifiedById: last } = opportunity;
  return readBy !== null && sameId(String(maker), readBy) && sameId(String(last), readBy);
}

/**
 * The value that a field had right after the import (create of a vendor-created deal in the CRM), for an opportunity that no user has saved
 * since. Usually this is the value that the CRM shows now. But edits of the account and of contacts leave the opportunity's timestamp
 * unchanged. So if the account was saved after the opportunity, the result for an account field is the value that the import sent. Contacts
 * that the import did not send are left out, because users added them.
 */
function asMade(field: FieldName, sent: Observed, observation: CrmObservation): unknown {
  const observed = observation.record;
  if (FIELDS[field].crm === 'Account' && isAccountSavedSince(observation)) return sent[field] ?? unsetOf(field);
  if (field !== 'customerContacts') return observed[field];
  const given = new Set(sent.customerContacts?.map(({ email }) => email.toLowerCase()));
  return observed.customerContacts?.filter(({ email }) => given.has(email.toLowerCase()));
}

/**
 * Whether the account was saved at least a second after the opportunity. A user may then have edited the account after the import (create
 * of a vendor-created deal in the CRM). Called only if no user has saved the opportunity since its creation.
 */
function isAccountSavedSince({ graph: { account, opportunity } }: CrmObservation): boolean {
  const savedAt = (row: CrmFields | null): number => Date.parse(String(row?.['SystemModstamp']));
  return savedAt(account) > savedAt(opportunity);
}

/**
 * The lines that an import (create of a vendor-created deal in the CRM) created, with their CRM ids and the values that the import sent. A
 * line's present values in the CRM are not used, because a user may edit a line without a change of the opportunity's timestamp. A line
 * that the CRM does not show any more keeps a temporary id. The next merge finds no CRM line with this id, and so sees that a user deleted
 * the line.
 */
function linesAfterImport(sent: Observed, observed: Observed, config: MappingConfig): Observed {
  if (sent.offerLines === undefined || observed.offerLines === undefined) return {};
  if (isEchoOf('offerLines', sent, observed, config)) return { offerLines: observed.offerLines };
  const ids = new Map(
    pairLines(observed.offerLines, sent.offerLines, []).map(({ position, crmLineId }) => [position, crmLineId]),
  );
  const offerLines = sent.offerLines.map((line, position) => {
    const crmLineId = ids.get(position);
    return crmLineId === undefined ? line : { ...line, crmLineId };
  });
  return nameCreatedLines({ offerLines });
}
