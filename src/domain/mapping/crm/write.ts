import type { Observed } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph, CrmValue, CrmWrite } from '../../record/crm-graph.ts';
import { FIELDS } from '../../record/fields.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import { inboundStage, isClosing, statusOfStage } from '../../values/status.ts';
import type { MappingConfig } from '../config.ts';
import { SITE_ID_FIELD } from '../kinds/entity.ts';
import { rawMembers, readMember } from '../kinds/members.ts';
import { sameValue } from '../same-value.ts';
import type { CrmWriteContext, CrmWriteResult } from '../types.ts';
import {
  CRM_REQUIRED,
  OPPORTUNITY_FIELD_NAMES,
  OPPORTUNITY_FIELDS,
  type OpportunityField,
  STATUS_FIELD,
} from './fields.ts';
import { readCrmValue } from './observe.ts';
import { writeLines } from './write-lines.ts';

type Draft = { readonly fields: Record<string, CrmValue>; readonly issues: Issue[] };

/**
 * The CRM write that makes a graph show the changes; only what differs. What the CRM already says in a finer way
 * stays as it is. Company, contacts, owner and currency are the CRM's own and are never written, except an empty
 * vendor site id, which is filled. `write` is null when nothing is to be written. Pure.
 */
export function crmWrite(changes: Observed, graph: CrmGraph, context: CrmWriteContext): CrmWriteResult {
  const draft: Draft = { fields: {}, issues: [] };
  for (const field of OPPORTUNITY_FIELD_NAMES) writeField(field, changes, graph, context.config, draft);
  writeStatus(changes.status, graph.opportunity, context.config, draft);
  const lines = writeLines(changes.offerLines, graph, context);
  const account = siteIdFill(changes.customerSiteId, graph.account);
  const { create, update, delete: deleted } = lines.write;
  const parts = Object.keys(draft.fields).length + create.length + update.length + deleted.length;
  const write = parts === 0 && account === null ? null : writeOf(graph, draft.fields, lines.write, account);
  return { write, issues: [...draft.issues, ...lines.issues] };
}

function writeOf(
  graph: CrmGraph,
  opportunity: CrmFields,
  lines: CrmWrite['lines'],
  account: CrmWrite['account'],
): CrmWrite {
  return {
    opportunityId: String(graph.opportunity['Id']),
    ifUnmodifiedSince: String(graph.opportunity['SystemModstamp']),
    opportunity,
    lines,
    account,
  };
}

function writeField(
  field: OpportunityField,
  changes: Observed,
  graph: CrmGraph,
  config: MappingConfig,
  draft: Draft,
): void {
  if (changes[field] === undefined) return;
  const value = asStored(changes[field]);
  const target = OPPORTUNITY_FIELDS[field];
  const present = graph.opportunity[target];
  if (present === undefined) {
    draft.issues.push(ISSUES.hiddenFromUser(field, target));
    return;
  }
  if (sameValue(field, value, asStored(readCrmValue(field, present, config)), config)) return;
  if (value === null && CRM_REQUIRED.has(field)) {
    draft.issues.push(ISSUES.crmCannotClear(field, target));
    return;
  }
  if (FIELDS[field].kind !== 'codes') draft.fields[target] = value as CrmValue;
  else writeCodes(field, value as readonly string[], present, config, draft);
}

/** Salesforce drops blanks around a text, and a text of blanks is unset. */
function asStored(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() || null : value;
}

/** A member that the CRM holds under a name of its own stays under that name. */
function writeCodes(
  field: OpportunityField,
  codes: readonly string[],
  present: CrmValue,
  config: MappingConfig,
  draft: Draft,
): void {
  if (codes.some((code) => code.includes(';'))) {
    draft.issues.push(ISSUES.codeWithSemicolon(field));
    return;
  }
  const held = rawMembers(present);
  const names = codes.map((code) => held.find((name) => readMember(field, name, config) === code) ?? code);
  draft.fields[OPPORTUNITY_FIELDS[field]] = names.length === 0 ? null : names.join(';');
}

/**
 * The vendor's status lands raw; the stage moves where the table names one and the present stage does not already
 * stand for the status. Won and Lost close a deal only where the tenant says so.
 */
function writeStatus(
  code: string | null | undefined,
  opportunity: CrmFields,
  config: MappingConfig,
  draft: Draft,
): void {
  if (code === undefined || code === null || code === '') return;
  if (opportunity[STATUS_FIELD] === undefined)
    draft.issues.push(ISSUES.hiddenFromUser('status', STATUS_FIELD));
  else if (opportunity[STATUS_FIELD] !== code) draft.fields[STATUS_FIELD] = code;
  const stage = opportunity['StageName'];
  if (stage === undefined || (isClosing(code, config) && !config.closeFromVendor)) return;
  if (typeof stage === 'string' && statusOfStage(stage, config) === code) return;
  const moved = inboundStage(code, config);
  if (moved !== null) draft.fields['StageName'] = moved;
}

function siteIdFill(siteId: string | null | undefined, account: CrmFields | null): CrmWrite['account'] {
  const present = account?.[SITE_ID_FIELD];
  if (!siteId || account === null || present === undefined || (present !== null && present !== ''))
    return null;
  return { id: String(account['Id']), fields: { [SITE_ID_FIELD]: siteId } };
}
