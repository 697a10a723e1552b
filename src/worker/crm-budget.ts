import { setTimeout as pause } from 'node:timers/promises';
import { type BudgetVerdict, budgetVerdict, type CallPurpose, type CrmUse } from '../domain/loop/crm-budget.ts';
import type { BudgetLedger, CrmCalls } from '../ledger/quota/quota-ledger.ts';

/** How often a process exchanges its counts of CRM calls with the ledger (Lockstep's PostgreSQL database), in ms. */
const REPORT_EVERY_MS = 15_000;
/** After this many exchanges with the ledger, a process deletes counts that are older than a day. */
const FORGET_EVERY = 240;

/** An answered request to an org. `limitInfo`: the org's daily API calls, used and allowed; null if the answer does not contain them. */
type AnsweredRequest = {
  readonly operation: string;
  readonly limitInfo: { readonly used: number; readonly limit: number } | null;
};

/**
 * Limits the calls to Salesforce orgs for all tenants of a process. All processes share their counts through the ledger (Lockstep's
 * PostgreSQL database).
 */
export interface CrmBudget {
  /** Counts a request that was sent to a tenant's org. */
  onAnswer(tenant: string, request: AnsweredRequest): void;
  /**
   * Whether the budget of an org's API calls allows calls for this purpose. `share`: the fraction of the org's daily calls that Lockstep
   * may use. Rejects with the ledger's error if the tenant's counts have never been read and cannot be read now.
   */
  verdict(tenant: string, share: number, purpose: CallPurpose): Promise<BudgetVerdict>;
  /** Stores this process's counts in the ledger, and reads the counts of all processes: two statements for any number of tenants. */
  exchange(): Promise<void>;
  /** Exchanges counts with the ledger at intervals until the signal aborts, then once more. */
  keep(signal: AbortSignal): Promise<void>;
}

export type CrmBudgetOptions = {
  readonly ledger: BudgetLedger;
  /** The present instant, ISO. */
  readonly now: () => string;
  readonly reportEveryMs?: number;
  /** Called with the error of a failed exchange with the ledger. The next exchange sends the same counts again. */
  readonly onFailure?: (error: unknown) => void;
};

export function createCrmBudget(options: CrmBudgetOptions): CrmBudget {
  return new SharedBudget(options);
}

type Unsent = { calls: number; orgUse: CrmCalls['orgUse'] };

class SharedBudget implements CrmBudget {
  readonly #options: CrmBudgetOptions;
  /** The tenants' counts as last read from the ledger. */
  readonly #known = new Map<string, CrmUse>();
  /** How many calls were counted for each tenant since the last exchange with the ledger. */
  #unsent = new Map<string, Unsent>();
  /** Tenants whose counts the next exchange reads: those with calls, or with a check of the budget, since the last exchange. */
  #wanted = new Set<string>();

  constructor(options: CrmBudgetOptions) {
    this.#options = options;
  }

  onAnswer(tenant: string, { operation, limitInfo }: AnsweredRequest): void {
    // A sign-in does not count as an API call.
    if (operation === 'login') return;
    const unsent = this.#unsent.get(tenant) ?? { calls: 0, orgUse: null };
    unsent.calls += 1;
    if (limitInfo !== null && limitInfo.limit > 0)
      unsent.orgUse = { used: limitInfo.used, limit: limitInfo.limit, at: this.#options.now() };
    this.#unsent.set(tenant, unsent);
    this.#wanted.add(tenant);
  }

  async verdict(tenant: string, share: number, purpose: CallPurpose): Promise<BudgetVerdict> {
    this.#wanted.add(tenant);
    if (!this.#known.has(tenant)) await this.#learn([tenant]);
    return budgetVerdict(this.#useOf(tenant), share, purpose);
  }

  async exchange(): Promise<void> {
    const { ledger, now } = this.#options;
    const orgUse = this.#unsent;
    const wanted = [...this.#wanted];
    this.#unsent = new Map();
    this.#wanted = new Set();
    try {
      await ledger.noteCrmCalls(
        [...orgUse].map(([tenant, unsent]) => ({ tenant, ...unsent })),
        now(),
      );
    } catch (error) {
      for (const [tenant, unsent] of orgUse) this.#keepForNext(tenant, unsent);
      throw error;
    }
    await this.#learn(wanted);
  }

  async keep(signal: AbortSignal): Promise<void> {
    const { ledger, now, reportEveryMs = REPORT_EVERY_MS, onFailure } = this.#options;
    for (let round = 0; !signal.aborted; round += 1) {
      try {
        await this.exchange();
        if (round % FORGET_EVERY === 0) await ledger.forgetCrmCalls(now());
      } catch (error) {
        onFailure?.(error);
      }
      await pause(reportEveryMs, undefined, { signal }).catch(() => undefined);
    }
    await this.exchange().catch((error: unknown) => onFailure?.(error));
  }

  async #learn(tenants: readonly string[]): Promise<void> {
    if (tenants.length === 0) return;
    const { ledger, now } = this.#options;
    const uses = await ledger.crmUse(tenants, now());
    for (const tenant of tenants) this.#known.set(tenant, uses.get(tenant) ?? { own: 0, orgUse: null });
  }

  #useOf(tenant: string): CrmUse {
    const known = this.#known.get(tenant) ?? { own: 0, orgUse: null };
    const unsent = this.#unsent.get(tenant);
    return { own: known.own + (unsent?.calls ?? 0), orgUse: unsent?.orgUse ?? known.orgUse };
  }

  #keepForNext(tenant: string, { calls, orgUse }: Unsent): void {
    const since = this.#unsent.get(tenant) ?? { calls: 0, orgUse: null };
    this.#unsent.set(tenant, { calls: since.calls + calls, orgUse: since.orgUse ?? orgUse });
    this.#wanted.add(tenant);
  }
}
