import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { ReadableTenant } from '../../observe/remotes.ts';
import { mappingDifference } from '../../platform/mapping-difference.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { type ExplainOrder, type ExplainPorts, explainRecord } from '../explain/explain-record.ts';
import type { Explanation, FieldValues } from '../explain/explanation.ts';
import { createObserver, type ObserveLedger } from '../records/observer.ts';

export type TriedField = {
  readonly field: string;
  /** The Salesforce field to which the draft of the mapping maps this field. */
  readonly crmField: string;
  /** Whether the draft maps the field differently from the present mapping. */
  readonly isChanged: boolean;
  /**
   * What a sync would decide about the field: under the present mapping (`before`) and under the draft (`after`). Null if it would decide
   * nothing.
   */
  readonly before: string | null;
  readonly after: string | null;
  /** The values of the CRM and the vendor, as the draft reads them. Present only if the operator requested values. */
  readonly values?: FieldValues;
};

export type MappingTried = Pick<Explanation, 'tenant' | 'key' | 'crmId' | 'vendorId' | 'state' | 'notObserved'> & {
  readonly shape: 'mapping-try/1';
  /**
   * The next step of a sync: under the present mapping (`before`) and under the draft (`after`). Null if the CRM or the vendor could not be
   * read.
   */
  readonly before: Explanation['next'];
  readonly after: Explanation['next'];
  /** The reasons ("gates") why the deal or its fields would not be synced under the draft. */
  readonly gates: readonly Omit<Explanation['gates'][number], 'said'>[];
  readonly fields: readonly TriedField[];
};

export type TryPorts = Pick<ExplainPorts, 'addresses' | 'now'> & {
  readonly ledger: ExplainPorts['ledger'] & ObserveLedger;
  /** Read access to the CRM and the vendor. The reads contain the fields of the present mapping and of the draft. */
  readonly remotes: ReadableTenant;
};

/**
 * Reads a deal once and explains it twice: under the present mapping and under a draft. Writes to neither CRM nor vendor. If values are
 * shown, the record's journal gets a line about it. Throws UnknownRecord.
 */
export async function tryMapping(
  ports: TryPorts,
  tenant: Pick<Tenant, 'tenant' | 'mapping' | 'salesforce'>,
  draft: MappingConfig,
  { id, withValues }: Pick<ExplainOrder, 'id' | 'withValues'>,
): Promise<MappingTried> {
  const remotes = readOnce(ports.remotes);
  const explained = (mapping: MappingConfig, showsValues: boolean): Promise<Explanation> => {
    const own = { ...remotes, tenant: { ...remotes.tenant, mapping } };
    const observer = createObserver(own, ports.ledger, ports.now);
    const order = { id, field: null, withValues: showsValues, verb: 'mapping try' };
    // Finds no Temporal runs, because the result shows no link to a run.
    const runs = async () => [];
    return explainRecord({ ...ports, crm: own.crm, observer, runs }, { ...tenant, mapping }, order);
  };
  const before = await explained(tenant.mapping, false);
  const after = await explained(draft, withValues);
  const changed = new Set(mappingDifference(tenant.mapping, draft).flatMap(({ at }) => fieldsOf(at)));
  const verdicts = new Map(before.fields.map(({ field, verdict }) => [field, verdict]));
  const { key, crmId, vendorId, state, notObserved } = after;
  return {
    ...{ shape: 'mapping-try/1', tenant: tenant.tenant, key, crmId, vendorId, state, notObserved },
    ...{ before: before.next, after: after.next },
    gates: after.gates.map(({ said: _, ...gate }) => gate),
    fields: after.fields.map(({ field, crmField, verdict, values }) => ({
      ...{ field, crmField, isChanged: changed.has(field), before: verdicts.get(field) ?? null, after: verdict },
      ...(values === undefined ? {} : { values }),
    })),
  };
}

/** Names of the fields that a setting in a mapping file concerns. `at`: the setting's path, such as `fields.amount`. */
function fieldsOf(at: string): readonly string[] {
  const [section, name = ''] = at.split('.');
  if (section === 'stages') return ['status'];
  return [name === 'revenueType' ? 'offerLines' : name];
}

/** Wraps read access so that each record is requested only once from the CRM or the vendor, because two explanations read it. */
function readOnce({ tenant, crm, vendor }: ReadableTenant): ReadableTenant {
  const { readGraph } = crm;
  const { readLeadOpportunity, searchLeadOpportunities } = vendor;
  return {
    tenant,
    crm: { ...crm, readGraph: once(readGraph, (id) => id) },
    vendor: {
      readLeadOpportunity: once(readLeadOpportunity, (asked) => JSON.stringify(asked)),
      searchLeadOpportunities,
    },
  };
}

function once<Given, More extends readonly unknown[], R>(
  read: (given: Given, ...more: More) => Promise<R>,
  keyOf: (given: Given) => string,
): (given: Given, ...more: More) => Promise<R> {
  const known = new Map<string, Promise<R>>();
  return (given, ...more) => {
    const key = keyOf(given);
    const reading = known.get(key) ?? read(given, ...more);
    known.set(key, reading);
    return reading;
  };
}
