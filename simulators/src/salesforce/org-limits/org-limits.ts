import type { ObjectDef, Schema } from '../schema/types.ts';
import { type ApexTriggers, createApexTriggers, type TriggerCost } from './apex-triggers.ts';

/** The number of requests of a Developer Edition org that may run for long at the same time. Production orgs and sandboxes have 25. */
const MOST_LONG_REQUESTS = 5;

/** Settings of an org that make it refuse requests, whatever their content. */
export type LimitSettings = {
  /** Whether the org is in read-only mode, as during maintenance. */
  readonly readOnly: boolean;
  /** How many requests may run for 20 seconds or longer. With 0 the org refuses every request. */
  readonly longRequests: number;
  readonly triggers: readonly TriggerCost[];
};

export type LimitsState = LimitSettings & {
  /** Ids of rows that an approval locks. */
  readonly locked: readonly string[];
};

export interface OrgLimits extends Pick<ApexTriggers, 'transaction' | 'spend'> {
  state(): LimitsState;
  /** Whether an approval locks the row. `id`: 18 characters. */
  isLocked(id: string): boolean;
  /** Locks a row, as a submission for approval does, or unlocks it. */
  lock(id: string, locked: boolean): void;
  /** Changes the given settings. Throws an error for a trigger of an object that is not there. */
  set(settings: Partial<LimitSettings>): void;
  /** Restores a captured state, or the state at the start. */
  load(state?: LimitsState): void;
  /** Suspends all limits while the simulator adds the rows of a seed. */
  lift(): void;
}

/** The limits of an org. `first`: the limits at its start. */
export function createOrgLimits(schema: Schema, first: Partial<LimitSettings> = {}): OrgLimits {
  const { list, load: loadTriggers, transaction, spend } = createApexTriggers();
  const locked = new Set<string>();
  let readOnly = false;
  let longRequests = MOST_LONG_REQUESTS;
  const set = (settings: Partial<LimitSettings>): void => {
    if (settings.triggers !== undefined) loadTriggers(settings.triggers.map((each) => ofSchema(schema, each)));
    readOnly = settings.readOnly ?? readOnly;
    longRequests = settings.longRequests ?? longRequests;
  };
  const lift = (): void => {
    locked.clear();
    set({ readOnly: false, longRequests: MOST_LONG_REQUESTS, triggers: [] });
  };
  const limits: OrgLimits = {
    transaction,
    spend,
    set,
    lift,
    state: () => ({ readOnly, longRequests, triggers: list(), locked: [...locked] }),
    isLocked: (id) => locked.has(id),
    lock: (id, isLocked) => {
      if (isLocked) locked.add(id);
      else locked.delete(id);
    },
    load: (state) => {
      lift();
      set(state ?? first);
      for (const id of state?.locked ?? []) locked.add(id);
    },
  };
  limits.load();
  return limits;
}

function ofSchema(schema: Schema, { object, ...cost }: TriggerCost): TriggerCost {
  const found: ObjectDef | undefined = schema.object(object);
  if (found === undefined) throw new Error(`A trigger is of the object ${object}, which the org does not have.`);
  return { object: found.name, ...cost };
}
