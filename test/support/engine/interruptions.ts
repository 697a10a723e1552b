import { AsyncLocalStorage } from 'node:async_hooks';

/** What is lost: the worker with one activity, or the whole workflow run. */
export type Loss = 'worker' | 'run';

/**
 * A worker that is paused, and whose activity counts as lost: `park` is handed what lets its code go on, beside whatever
 * was begun in its place.
 */
export type Pause = { park(goOn: () => Promise<void>): void };

/** Told of each call of a wrapped port, and of whose activity it is. */
export type CallNotes = {
  onCall(name: string, args: readonly unknown[], hand?: string): void;
  onError(error: unknown): void;
  /** Its activity has the answer. */
  onAnswer(name: string, args: readonly unknown[]): void;
};

/** One activity being executed. */
export type ActivityScope = {
  lose(what: Loss): void;
  /** Its code has come to its end, or stands still again: who let it go on need not wait any longer. */
  stop: PromiseWithResolvers<void>;
  /** Its process is gone: whatever else of it is under way never goes on. */
  isDead: boolean;
  /** While its process stands still: until it goes on. */
  still: Promise<void> | null;
  readonly hand: string;
};

type Act = Loss | Pause | (() => Promise<void>);

/** Where the points are: in what an activity calls, or in how it wakes records, which is another count. */
export type Place = 'work' | 'waking';

/**
 * Things that happen in the middle of an activity. Every call of a wrapped port has two points: before it leaves and
 * after it is answered. At a loss the activity's code never goes on, as when its process dies.
 */
export interface Interruptions {
  /** Plans `act` for the n-th point of a place from now, counted from 1; of the work when absent. */
  plan(points: number, act: Act, place?: Place): void;
  clear(): void;
  /** How many workers and runs were lost or paused so far. */
  losses(): number;
  wrap<T extends object>(port: T, notes?: CallNotes, place?: Place): T;
  /** Runs an activity, for a hand. Resolves with what it gave, or with the loss that hit it. */
  run<T>(work: () => Promise<T>, hand: string): Promise<{ readonly value: T } | { readonly lost: Loss }>;
}

/** Resolves when the paused code may go on, and whatever else of its process has come to a point; who lets it waits for its end. */
function parked(scope: ActivityScope, { park }: Pause): Promise<void> {
  scope.lose('worker');
  scope.stop.resolve();
  scope.stop = Promise.withResolvers<void>();
  const { promise } = scope.stop;
  const going = Promise.withResolvers<void>();
  scope.still = going.promise;
  park(async () => {
    scope.still = null;
    going.resolve();
    await promise;
  });
  return going.promise;
}

const NEVER = new Promise<never>(() => undefined);

export function createInterruptions(): Interruptions {
  const scopes = new AsyncLocalStorage<ActivityScope>();
  let planned: { left: number; readonly act: Act; readonly place: Place }[] = [];
  let losses = 0;

  async function point(place: Place): Promise<void> {
    const scope = scopes.getStore();
    if (scope === undefined) return;
    while (scope.still !== null) await scope.still;
    if (scope.isDead) return NEVER;
    for (const item of planned) if (item.place === place) item.left -= 1;
    const due = planned.filter((item) => item.left <= 0);
    planned = planned.filter((item) => item.left > 0);
    for (const { act } of due) {
      if (typeof act !== 'function') losses += 1;
      if (typeof act === 'string') {
        scope.isDead = true;
        scope.lose(act);
        scope.stop.resolve();
        return NEVER;
      }
      if (typeof act === 'function') await scopes.exit(act);
      else await parked(scope, act);
    }
  }

  return {
    plan: (points, act, place = 'work') => {
      planned.push({ left: points, act, place });
    },
    clear: () => {
      planned = [];
    },
    losses: () => losses,
    wrap: (port, notes, place = 'work') =>
      new Proxy(port, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return async (...args: unknown[]) => {
            await point(place);
            notes?.onCall(String(name), args, scopes.getStore()?.hand);
            let answer: unknown;
            try {
              answer = await member.apply(target, args);
            } catch (error) {
              notes?.onError(error);
              await point(place);
              throw error;
            }
            await point(place);
            notes?.onAnswer(String(name), args);
            return answer;
          };
        },
      }),
    run: (work, hand) =>
      new Promise((resolve, reject) => {
        const scope: ActivityScope = {
          lose: (lost) => resolve({ lost }),
          stop: Promise.withResolvers<void>(),
          isDead: false,
          still: null,
          hand,
        };
        scopes
          .run(scope, work)
          .then((value) => resolve({ value }), reject)
          .finally(() => scope.stop.resolve());
      }),
  };
}
