import type { CrmUse } from '../domain/loop/crm-budget.ts';

/** Calls that a process has made of a tenant's org since it told last; `told`: what the org said of its limit, and when (ISO). */
export type CrmCalls = {
  readonly tenant: string;
  readonly calls: number;
  readonly orgUse: { readonly used: number; readonly limit: number; readonly at: string } | null;
};

/** What the ledger remembers of API calls to Salesforce. Of many tenants at once, so that telling it costs no statement a call. */
export interface BudgetLedger {
  /** Adds calls to those of the hour. One statement, however many tenants. */
  noteCrmCalls(calls: readonly CrmCalls[], at: string): Promise<void>;
  /** The calls of the last day, by tenant; one statement. Those of which nothing is known are left out. */
  crmUse(tenants: readonly string[], at: string): Promise<ReadonlyMap<string, CrmUse>>;
  /** Forgets what is older than a day. */
  forgetCrmCalls(at: string): Promise<void>;
}
