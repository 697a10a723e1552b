import type { Observed } from '../../record/canonical.ts';
import { FIELDS } from '../../record/fields.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { contactBody } from '../kinds/contacts.ts';
import { entityBody } from '../kinds/entity.ts';
import { lineBodies } from '../kinds/lines.ts';
import type { UpdateBody, UpdateContext, Withheld } from '../types.ts';
import { type BodyParts, CORE_FIELDS, type CoreField, coreValue, intentOf } from './fields.ts';

type Draft = { readonly parts: BodyParts; readonly withheld: Withheld[] };

/**
 * The partial body of an update (sales spec 4.2): of the core only what changed; arrays and the legal entity
 * whole, because what the vendor does with a part of them is not shown. `''` clears a string and `[]` a list; what
 * cannot be cleared or said is withheld. `intent` is null when nothing is left to send. Pure.
 */
export function updateBody(changes: Observed, context: UpdateContext): UpdateBody {
  const draft: Draft = { parts: { core: {}, rest: {}, record: {} }, withheld: [] };
  for (const field of CORE_FIELDS) if (changes[field] !== undefined) addCore(field, changes, context, draft);
  addLines(changes, context, draft);
  addEntity(changes, context, draft);
  addContacts(changes, draft);
  const { parts, withheld } = draft;
  const empty = Object.keys(parts.record).length === 0;
  const intent = empty ? null : intentOf(parts, context.reference, context.config.partnerId);
  return { intent, withheld };
}

function addCore(field: CoreField, changes: Observed, context: UpdateContext, draft: Draft): void {
  const status = context.target.status ?? context.present.status ?? null;
  const result = coreValue(field, changes, status, context.config);
  if (result.kind === 'withhold') {
    draft.withheld.push({ field, issue: result.issue });
    return;
  }
  if (result.kind === 'unset' && !FIELDS[field].clearable) {
    draft.withheld.push({ field, issue: clearIssue(field, status, context) });
    return;
  }
  const cleared = FIELDS[field].kind === 'codes' ? [] : '';
  draft.parts.core[field] = result.kind === 'unset' ? cleared : result.value;
  draft.parts.record[field] = changes[field];
}

/** A forecast that the vendor ignores anyway needs nobody to act when it is emptied. */
function clearIssue(field: CoreField, status: string | null, { config }: UpdateContext): Issue | null {
  if (field === 'forecastCategory') {
    const probe = coreValue(field, { forecastCategory: 'UPSIDE' }, status, config);
    if (probe.kind === 'withhold') return null;
  }
  return ISSUES.vendorCannotClear(field);
}

function addLines(changes: Observed, { config, present }: UpdateContext, draft: Draft): void {
  if (changes.offerLines === undefined) return;
  const types = (present.offerLines ?? []).map((line) => line.revenueType);
  const shown = new Set(types.filter((type) => type !== null));
  const lines = lineBodies(changes.offerLines, config, shown);
  const issue = lines.issues[0];
  if (issue !== undefined) {
    draft.withheld.push({ field: 'offerLines', issue });
    return;
  }
  draft.parts.rest['offerLines'] = lines.body;
  draft.parts.record['offerLines'] = lines.sent;
}

function addEntity(changes: Observed, { present, target }: UpdateContext, draft: Draft): void {
  const wanted = (['customerLegalEntity', 'customerSiteId'] as const).filter((field) => {
    if (changes[field] === null) draft.withheld.push({ field, issue: ISSUES.vendorCannotClear(field) });
    return changes[field] !== undefined && changes[field] !== null;
  });
  if (wanted.length === 0) return;
  const entity = changes.customerLegalEntity ?? target.customerLegalEntity ?? present.customerLegalEntity;
  if (entity === undefined || entity === null) {
    draft.withheld.push({ field: 'customerSiteId', issue: ISSUES.entityMissing() });
    return;
  }
  const siteId = changes.customerSiteId ?? target.customerSiteId ?? present.customerSiteId ?? null;
  draft.parts.rest['customerLegalEntity'] = entityBody(entity, siteId);
  draft.parts.record['customerLegalEntity'] = entity;
  draft.parts.record['customerSiteId'] = siteId;
}

function addContacts(changes: Observed, draft: Draft): void {
  for (const field of ['customerContacts', 'partnerContacts'] as const) {
    const contacts = changes[field];
    if (contacts === undefined) continue;
    draft.parts.rest[field] = contacts.map((contact) => contactBody(contact, 'update'));
    draft.parts.record[field] = contacts;
  }
}
