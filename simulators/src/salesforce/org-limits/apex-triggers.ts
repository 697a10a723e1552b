import { ApiFailure } from '../store/failure.ts';
import type { OrgRules, SaveContext } from '../store/rule-types.ts';

/** An Apex trigger of the org, by what it costs for each row that is saved. */
export type TriggerCost = {
  readonly object: string;
  /** SOQL queries for each row; default 0. */
  readonly queriesPerRow?: number;
  /** Milliseconds of CPU time for each row; default 0. */
  readonly cpuMsPerRow?: number;
};

/** The limits of a synchronous transaction's SOQL queries and CPU time (Apex Developer Guide, "Execution Governors and Limits"). */
const MOST_QUERIES = 100;
const MOST_CPU_MS = 10_000;

/** A governor limit, which no trigger can catch: every row of the transaction fails with it. */
export class LimitException extends ApiFailure {}

/** Counts the costs of triggers in the Apex transaction that is running. */
export interface ApexTriggers {
  list(): readonly TriggerCost[];
  load(triggers: readonly TriggerCost[]): void;
  /** Runs work as one transaction, with limits of its own. */
  transaction<T>(work: () => T): T;
  /** Counts the triggers of a saved row. Throws LimitException. */
  spend(save: Pick<SaveContext, 'object'>): void;
}

type Spent = { queries: number; cpuMs: number };

export function createApexTriggers(): ApexTriggers {
  let triggers: readonly TriggerCost[] = [];
  let spent: Spent | null = null;
  return {
    list: () => triggers,
    load: (next) => {
      triggers = next;
    },
    transaction: (work) => {
      const outer = spent;
      spent = { queries: 0, cpuMs: 0 };
      try {
        return work();
      } finally {
        spent = outer;
      }
    },
    spend: ({ object }) => {
      // A save outside of a request, such as one of the admin surface, is a transaction of its own.
      const total = spent ?? { queries: 0, cpuMs: 0 };
      for (const { object: name, queriesPerRow = 0, cpuMsPerRow = 0 } of triggers) {
        if (name !== object.name) continue;
        total.queries += queriesPerRow;
        total.cpuMs += cpuMsPerRow;
        if (total.queries > MOST_QUERIES) throw exceeded(name, `Too many SOQL queries: ${MOST_QUERIES + 1}`);
        if (total.cpuMs > MOST_CPU_MS) throw exceeded(name, 'Apex CPU time limit exceeded');
      }
    },
  };
}

/** The rules of an org, with the costs of its triggers counted after them. */
export function withTriggers(rules: OrgRules, spend: ApexTriggers['spend']): OrgRules {
  return {
    ...rules,
    beforeSave: (save) => {
      rules.beforeSave?.(save);
      spend(save);
    },
  };
}

/** The refusal as clients have published it. */
function exceeded(object: string, limit: string): LimitException {
  const message = `${object}Trigger: System.LimitException: ${limit}`;
  return new LimitException(400, [{ errorCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', message, fields: [] }]);
}
