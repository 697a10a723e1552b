import { log } from '@temporalio/activity';
import { sufficientSnapshot, type Unmodified } from '../../src/domain/decide/vendor-snapshot.ts';
import type { WorkClass } from '../../src/domain/loop/work-class.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { PeriodCursor } from '../../src/domain/streams/period-cursor.ts';
import { cursorOf } from '../../src/domain/streams/streams.ts';
import { knownPeriod, USABLE_MS, unmodifiedAsOf } from '../../src/domain/streams/unmodified-search.ts';
import { foundIds, PartnerApiError } from '../../src/partner-api/index.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { endsWithin } from '../support/ends-within.ts';
import { vendorRequest } from '../support/vendor-request.ts';
import { vendorTime } from '../support/vendor-time.ts';

/**
 * One worker's memory of vendor records that a search has just proved unmodified since their last read, so that they need not be read
 * again. Call `known` before you load a record's link (its row in Lockstep's database). The link then also contains the changes that were
 * noted after the search. In the other order, you could miss such a change and take the record for unmodified.
 */
export type UnmodifiedRecords = {
  /**
   * The results of recent searches for the tenant's vendor records. They show whether a record was modified after Lockstep last read it.
   * Sends no request.
   */
  readonly known: (tenant: string) => Unmodified;
  /**
   * Sends one search about this record and other due records, or waits for a search that another record has started. Returns whether it
   * sent one. It sends none if too few other records are due.
   */
  readonly ask: (runtime: TenantRuntime, link: Link, work: WorkClass | undefined) => Promise<boolean>;
};

/** The maximum number of records that one search names. */
const MOST_RECORDS = 50;
/** The smallest number of due records for which one search saves requests. */
const MANY = 8;
/** The maximum time, in ms, that a record waits for a running search about many records. */
const PATIENCE_MS = 5_000;
/** How long, in ms, records are read one by one after a search about many records has failed. */
const HOLD_OFF_MS = 60_000;

type Pair = { readonly crmId: string; readonly vendorId: string };

/**
 * Creates one worker's memory of the vendor records that a search proved unmodified since their last read. Each worker has its own memory.
 */
export function createUnmodifiedRecords(deps: ActivityDeps): UnmodifiedRecords {
  const { burstFrom = MANY } = deps;
  const memory = createMemory(() => Date.parse(deps.now()));

  async function askOne(runtime: TenantRuntime, pair: Pair, work: WorkClass | undefined): Promise<boolean> {
    const { tenant } = runtime.tenant;
    const count = (deps.lanes?.of(tenant) ?? 0) + (await deps.ledger.countOnTheirWay(tenant));
    const isOne = burstFrom > 0 && count < burstFrom;
    return !isOne && search(deps, memory, runtime, { pair, work });
  }

  return {
    known: memory.known,
    ask: async (runtime, link, work) => {
      const { tenant, crmId, vendorId } = link;
      const isAlone = link.inBurst !== true && burstFrom > 0;
      if (isAlone || crmId === null || vendorId === null) return false;
      if (sufficientSnapshot(link, mappingOf(runtime.tenant.mapping, link.crmId)) === null) return false;
      const untilMs = memory.nowMs() + PATIENCE_MS;
      while (!memory.known(tenant).has(vendorId)) {
        const { asking, heldOffUntilMs } = memory.of(tenant);
        if (memory.nowMs() >= untilMs || memory.nowMs() < heldOffUntilMs) return false;
        if (asking === null) return memory.whileAsking(tenant, askOne(runtime, { crmId, vendorId }, work));
        if (!(await endsWithin(asking, PATIENCE_MS))) return false;
      }
      return false;
    },
  };
}

/**
 * Sends one vendor search about a record and other due records, which shows which of them are unmodified since their last read. Returns
 * whether the search was sent.
 */
async function search(
  deps: ActivityDeps,
  memory: Memory,
  { tenant: { tenant, vendor: settings }, vendor }: TenantRuntime,
  { pair, work }: { readonly pair: Pair; readonly work: WorkClass | undefined },
): Promise<boolean> {
  const { overlapMs } = settings.poll;
  const cursor = (await deps.ledger.cursor(tenant, cursorOf('pollVendor'))) as PeriodCursor | null;
  const modifiedDate = knownPeriod(cursor, overlapMs);
  if (cursor === null || modifiedDate === null) return false;
  const excluding = [...memory.known(tenant).keys(), pair.vendorId];
  const asked = [pair, ...(await deps.ledger.dueTogether(tenant, excluding, MOST_RECORDS - 1))];
  // Vendor users may have entered an opportunity's id with 18 or 15 characters.
  const partnerLeadOpportunityId = asked.flatMap(({ crmId }) => [crmId, crmId.slice(0, 15)]);
  const criteria = { data: [{ modifiedDate }, { partnerLeadOpportunityId }] };
  const askedAt = deps.now();
  try {
    const send = (signal: AbortSignal) => vendor.searchLeadOpportunities(criteria, { signal });
    const answer = await vendorRequest(deps, tenant, 'vendor-sales', send, { work });
    const times = { askedAt, answeredAt: deps.now(), vendorNow: vendorTime(answer) };
    const asOf = unmodifiedAsOf(times, cursor, overlapMs);
    const found = new Set(foundIds(answer.data));
    const holds = (vendorId: string): boolean => asOf !== null && found.has(vendorId);
    memory.learn(
      tenant,
      asked.map(({ vendorId }) => [vendorId, { asOf: asOf ?? askedAt, holds: holds(vendorId) }]),
    );
  } catch (error) {
    if (!(error instanceof PartnerApiError)) throw error;
    log.warn('the search for changed records failed; the records are read', { tenant, kind: error.kind });
    memory.holdOff(tenant);
  }
  return true;
}

type TenantSearch = {
  readonly of: Unmodified;
  /** The tenant's running search about many records, for which other records wait. Never rejects; null if none runs. */
  readonly asking: Promise<unknown> | null;
  readonly heldOffUntilMs: number;
};
const NOTHING: TenantSearch = { of: new Map(), asking: null, heldOffUntilMs: Number.NEGATIVE_INFINITY };

type Memory = ReturnType<typeof createMemory>;

function createMemory(nowMs: () => number) {
  const tenants = new Map<string, TenantSearch>();
  const of = (tenant: string): TenantSearch => tenants.get(tenant) ?? NOTHING;
  const note = (tenant: string, change: Partial<TenantSearch>): void =>
    void tenants.set(tenant, { ...of(tenant), ...change });
  const known = (tenant: string): Unmodified =>
    new Map([...of(tenant).of].filter(([, { asOf }]) => nowMs() - Date.parse(asOf) <= USABLE_MS));
  return {
    nowMs,
    of,
    known,
    learn: (tenant: string, assertions: readonly (readonly [string, Asserted])[]): void =>
      note(tenant, { of: new Map([...known(tenant), ...assertions]) }),
    holdOff: (tenant: string): void => note(tenant, { heldOffUntilMs: nowMs() + HOLD_OFF_MS }),
    whileAsking: async (tenant: string, asking: Promise<boolean>): Promise<boolean> => {
      note(tenant, { asking: asking.catch(() => undefined) });
      return asking.finally(() => note(tenant, { asking: null }));
    },
  };
}

type Asserted = Unmodified extends ReadonlyMap<string, infer Value> ? Value : never;
