import { randomUUID } from 'node:crypto';
import { cancellationSignal, log } from '@temporalio/activity';
import {
  CHANGES_CURSOR,
  type ChangesPosition,
  type Concern,
  concernOf,
  type GapCause,
  gapOfEvent,
  type NamedDeal,
  type Ourselves,
  streamRequestedBy,
} from '../../src/domain/streams/change-events.ts';
import { stoppedBy } from '../../src/domain/streams/work.ts';
import type { LinkIds } from '../../src/ledger/links/link-ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { ChangeBatch } from '../../src/salesforce/pubsub/follow-changes.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { endsWithin } from '../support/ends-within.ts';
import { keepToBudget } from '../support/within-budget.ts';
import { concerned } from './crm-opportunities.ts';
import { wakeUnwoken } from './wake-due.ts';

/** Callbacks of a function that follows a tenant's change events (Salesforce's Change Data Capture). */
export type Followed = {
  /** Called after each answer of Salesforce, so that the caller knows that change events arrive again after a failure. */
  readonly onAnswer: () => void;
  /** Called when change events may be missing, so that a sweep (the query for changes in the CRM) must find the changes. */
  readonly onGap: () => void;
};

/**
 * If the last answer to a follower of the change events is older than this, in ms, no worker followed them for some time, because
 * Salesforce answers a follower at least every 270 seconds. Change events may then be missing (a gap), so a sweep (the query for changes in
 * the CRM) must run.
 */
const DOWN_MS = 900_000;
/**
 * The maximum number of saves (transactions in Salesforce) for which Lockstep remembers the deals that it has marked as due (to be synced).
 * The events of one save may come in several answers, and only the first of them must mark a deal.
 */
const MOST_SAVES = 500;
/** How long, in ms, a follower whose stream has ended waits for the syncs of deals that it has started. */
const MOST_ENDING_MS = 3_000;
/**
 * When change events are followed again, an earlier follower may have marked deals as due (to be synced) without waking (signalling or
 * starting) their workflows. At most this many of these workflows are woken.
 */
const MOST_WOKEN = 2_000;
/**
 * The maximum number of answers (batches of change events) whose deals this process syncs itself at one time. Deals of further answers are
 * left to their workflows.
 */
const MOST_SYNCING = 8;
/** The client name in change events by which Lockstep recognises its own writes. */
const CLIENT = 'lockstep';

/**
 * Follows a tenant's change events until the activity is cancelled. Marks the concerned deals as due (to be synced) in the transaction that
 * stores the stream's position. If they are few, syncs them in this activity; otherwise wakes (signals or starts) their workflows. Throws
 * when the stream ends. The next call continues after the stored position.
 */
export function createFollowChanges(deps: ActivityDeps) {
  return async function followChanges(tenant: string, followed: Followed): Promise<void> {
    const pause = stoppedBy(await deps.ledger.pauses(tenant), 'sweepSalesforce');
    if (pause !== undefined) throw new CrmError('systemic', 'PAUSED', 'The tenant is paused.');
    const holder = randomUUID();
    const stored: ChangesPosition = await deps.ledger.holdCursor(tenant, CHANGES_CURSOR, holder, deps.now());
    const following = new Following(deps, tenant, { holder, stored, followed });
    try {
      await following.run();
    } catch (error) {
      await following.noteFailure(error).catch(() => undefined);
      throw error;
    } finally {
      await following.synced();
    }
  };
}

type Hold = { readonly holder: string; readonly stored: ChangesPosition; readonly followed: Followed };

class Following {
  readonly #deps: ActivityDeps;
  readonly #tenant: string;
  readonly #hold: Hold;
  /**
   * The deals that events have already named, by the transaction id of their save in Salesforce. One save causes several events, and only
   * one of them must make a deal due. `mayBeShared`: whether one of them showed that the deal may be shared.
   */
  readonly #saves = new Map<string, Map<string, { readonly mayBeShared: boolean }>>();
  /** The running syncs of deals whose events were read. */
  readonly #syncing = new Set<Promise<void>>();
  #gaps: NonNullable<ChangesPosition['gaps']>;
  /**
   * Whether Salesforce has ever answered this tenant's stream of change events. If not, its first answer counts as a gap (missing events),
   * because earlier changes have no events.
   */
  #hasAnswered: boolean;
  /**
   * Whether Salesforce has answered this follower. If not, a new failure continues the previous one, and operators still see the time at
   * which the previous one began.
   */
  #answersNow = false;

  constructor(deps: ActivityDeps, tenant: string, hold: Hold) {
    this.#deps = deps;
    this.#tenant = tenant;
    this.#hold = hold;
    this.#gaps = hold.stored.gaps ?? {};
    this.#hasAnswered = typeof hold.stored.replayId === 'string';
  }

  async run(): Promise<void> {
    const { stored, followed } = this.#hold;
    const { crm } = this.#deps.runtime(this.#tenant);
    if (stored.gap !== undefined) followed.onGap();
    if (typeof stored.unwokenAt === 'string') await wakeUnwoken(this.#deps, this.#tenant, MOST_WOKEN, stored.unwokenAt);
    if (stored.at !== undefined && this.#nowMs() - Date.parse(stored.at) > DOWN_MS) await this.#note('down');
    const from = { replayId: stored.replayId ?? null, signal: cancellationSignal() };
    for await (const batch of crm.changeEvents.follow(from)) {
      await this.#take(batch);
      followed.onAnswer();
    }
  }

  /** Resolves when all started syncs of deals have ended, or after some seconds: a sync that hangs must not stop the next follower. */
  async synced(): Promise<void> {
    await endsWithin(Promise.all(this.#syncing), MOST_ENDING_MS);
  }

  /** Stores the CRM error that ended the stream. Errors of other origin, and a stop by Lockstep itself, are not stored. */
  async noteFailure(error: unknown): Promise<void> {
    if (!(error instanceof CrmError) || error.code === 'ABORTED') return;
    const since = (this.#answersNow ? null : this.#hold.stored.failed)?.since ?? this.#deps.now();
    const failure = { failed: { code: error.code, since } };
    if (error.code === 'REPLAY_EXPIRED') return this.#note('expired', { ...failure, replayId: null });
    if (error.code === 'SILENT') return this.#note('silent', failure);
    await this.#move([], failure);
  }

  /** Marks the deals that a batch of events concerns as due, and stores the position after the batch. */
  async #take(batch: ChangeBatch): Promise<void> {
    const { now, requestStream } = this.#deps;
    const at = now();
    // Before the position moves, so that a request is read again if the worker dies here.
    const requested = batch.events.flatMap((event) => streamRequestedBy(event, ourselves(batch)) ?? []);
    for (const stream of new Set(requested)) await requestStream(this.#tenant, stream);
    const cause = this.#gapOf(batch);
    const deals = await this.#deals(batch);
    const due =
      deals.length === 0 ? [] : [...(await concerned(this.#deps, this.#tenant, deals, deals)).values()].flat();
    const items = due.map(({ opportunity }) => opportunity);
    const unwokenAt = items.length > 0 || this.#syncing.size > 0 ? at : null;
    const position = { replayId: batch.replayId, at, failed: null, unwokenAt, ...this.#withGap(cause, at) };
    const keys = await this.#move(items, position);
    this.#hasAnswered = true;
    this.#answersNow = true;
    if (cause !== null) this.#hold.followed.onGap();
    if (keys.length > 0) await this.#sync([...new Set(keys)]);
  }

  /**
   * Syncs due deals without waiting for the result, because the next events may concern other deals. Deals whose sync fails stay due, so
   * the regular search for overdue deals wakes their workflows.
   */
  async #sync(keys: readonly string[]): Promise<void> {
    const { syncLone, wake } = this.#deps;
    if (syncLone === undefined || this.#syncing.size >= MOST_SYNCING) return wake(this.#tenant, keys, 'crm');
    const work = syncLone(this.#tenant, keys, 'crm')
      .catch((err: unknown) => log.warn('changed deals wait until they are overdue', { err }))
      .finally(() => this.#syncing.delete(work));
    this.#syncing.add(work);
  }

  #gapOf({ events, hasNewSchema }: ChangeBatch): GapCause | null {
    if (!this.#hasAnswered) return 'begun';
    return events.map(gapOfEvent).find((cause) => cause !== null) ?? (hasNewSchema ? 'schema' : null);
  }

  /**
   * The deals that a batch of events concerns, each once. Leaves out deals that earlier events of the same save have named, unless only this
   * event shows that the deal may be shared.
   */
  async #deals(batch: ChangeBatch): Promise<readonly NamedDeal[]> {
    const concerns = batch.events.flatMap((event) => concernOf(event, ourselves(batch)) ?? []);
    const byRow = await this.#opportunities(concerns.filter(({ rows }) => rows.ids.length > 0));
    const deals = new Map<string, NamedDeal>();
    for (const { transaction, deals: named, rows } of concerns) {
      const found = rows.ids.flatMap((id) => byRow.get(id) ?? []);
      for (const deal of [...named, ...found.map((opportunityId) => ({ opportunityId, mayBeShared: true }))]) {
        const known = this.#saves.get(transaction)?.get(deal.opportunityId);
        if (known !== undefined && (known.mayBeShared || !deal.mayBeShared)) continue;
        const mayBeShared = deal.mayBeShared || deals.get(deal.opportunityId)?.mayBeShared === true;
        deals.set(deal.opportunityId, { ...deal, mayBeShared });
        this.#remember(transaction, deal);
      }
    }
    return [...deals.values()];
  }

  /** Remembers that an event of a save named a deal, so that later events of the save do not mark the deal again. */
  #remember(transaction: string, { opportunityId, mayBeShared }: NamedDeal): void {
    const known = this.#saves.get(transaction) ?? new Map();
    this.#saves.set(transaction, known.set(opportunityId, { mayBeShared }));
    const [oldest] = this.#saves.keys();
    if (this.#saves.size > MOST_SAVES && oldest !== undefined) this.#saves.delete(oldest);
  }

  async #opportunities(concerns: readonly Concern[]): Promise<ReadonlyMap<string, readonly string[]>> {
    if (concerns.length === 0) return new Map();
    await keepToBudget(this.#deps, this.#tenant, 'interactive');
    const byObject = Map.groupBy(concerns, ({ rows }) => rows.object);
    const rows = [...byObject].map(([object, some]) => ({
      object,
      ids: [...new Set(some.flatMap((one) => one.rows.ids))],
    }));
    return this.#deps.runtime(this.#tenant).crm.opportunitiesOf(rows, { signal: cancellationSignal() });
  }

  #withGap(cause: GapCause | null, at: string): Pick<ChangesPosition, 'gap' | 'gaps'> {
    if (cause === null) return {};
    this.#gaps = { ...this.#gaps, [cause]: (this.#gaps[cause] ?? 0) + 1 };
    return { gap: { cause, at }, gaps: this.#gaps };
  }

  async #note(cause: GapCause, besides: ChangesPosition = {}): Promise<void> {
    await this.#move([], { ...besides, ...this.#withGap(cause, this.#deps.now()) });
    this.#hold.followed.onGap();
  }

  #move(ids: readonly LinkIds[], position: ChangesPosition): Promise<readonly string[]> {
    const { ledger, now } = this.#deps;
    return ledger.markDue(this.#tenant, ids, now(), { stream: CHANGES_CURSOR, position, holder: this.#hold.holder });
  }

  #nowMs(): number {
    return Date.parse(this.#deps.now());
  }
}

/** The client name and the user id that identify Lockstep's own writes in change events. */
function ourselves({ userId }: ChangeBatch): Ourselves {
  return { client: CLIENT, user: userId };
}
