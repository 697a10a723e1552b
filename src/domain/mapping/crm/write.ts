import type { Observed } from '../../record/canonical.ts';
import type { CrmGraph, CrmWrite } from '../../record/crm-graph.ts';
import { FIELD_NAMES } from '../../record/fields.ts';
import type { CrmPart } from '../lens.ts';
import { lensOf } from '../lens-of.ts';
import type { CrmWriteContext, CrmWriteResult } from '../types.ts';
import { currencyOf } from './observe.ts';

/**
 * The CRM write that applies the vendor's changes, without values that the CRM already has. A CRM value stays if it means the same as the
 * new value but has more detail. Company, contacts, owner and currency belong to the CRM and are never written; only an empty vendor site
 * id of the account is filled in. `write` is null if there is nothing to write. Pure.
 */
export function crmWrite(changes: Observed, graph: CrmGraph, context: CrmWriteContext): CrmWriteResult {
  const currency = currencyOf(graph, context.config);
  const parts = IN_TURN.filter((field) => changes[field] !== undefined).map((field) =>
    lensOf(field).toCrm(changes[field], graph, { ...context, field, currency }),
  );
  return { write: writeOf(graph, parts), issues: parts.flatMap((part) => part.issues ?? []) };
}

function writeOf(graph: CrmGraph, parts: readonly CrmPart[]): CrmWrite | null {
  const opportunity = Object.assign({}, ...parts.map((part) => part.opportunity));
  const lines = parts.find((part) => part.lines !== undefined)?.lines ?? NO_LINES;
  const account = parts.find((part) => part.account)?.account ?? null;
  const { create, update, delete: deleted } = lines;
  const size = Object.keys(opportunity).length + create.length + update.length + deleted.length;
  if (size === 0 && account === null) return null;
  return {
    opportunityId: String(graph.opportunity['Id']),
    ifUnmodifiedSince: String(graph.opportunity['SystemModstamp']),
    opportunity,
    lines,
    account,
  };
}

/** The order in which fields are converted. The status is the last one, so that issues about it follow the issues about other fields. */
const IN_TURN = [...FIELD_NAMES.filter((field) => field !== 'status'), 'status'] as const;

const NO_LINES: CrmWrite['lines'] = { create: [], update: [], delete: [] };
