import { AsyncLocalStorage } from 'node:async_hooks';

/** What is lost: a worker during an activity, or a whole workflow run. */
export type Loss = 'worker' | 'run';

/**
 * Pauses a worker whose activity then counts as lost. `park` gets a function that lets its code continue, in parallel with its replacement.
 */
export type Pause = { park(goOn: () => Promise<void>): void };

/** Notified of each call of a wrapped port and of the activity that makes it. */
export type CallNotes = {
  onCall(name: string, args: readonly unknown[], hand?: string): void;
  onError(error: unknown): void;
  /** The activity got the answer. */
  onAnswer(name: string, args: readonly unknown[]): void;
};

/** An activity during its execution. */
export type ActivityScope = {
  lose(what: Loss): void;
  /** Resolves when its code has ended or pauses again, so that the caller that resumed it can go on. */
  stop: PromiseWithResolvers<void>;
  /** Its process has died: none of its code continues. */
  isDead: boolean;
  /** While its process is paused: resolves when it continues. */
  still: Promise<void> | null;
  readonly hand: string;
};

type Act = Loss | Pause | (() => Promise<void>);

/** Where the points are: in an activity's calls, or in its waking of records; each has its own count. */
export type Place = 'work' | 'waking';

/**
 * Interrupts activities. Every call of a wrapped port has two points: before the request leaves and after it is answered. After a loss the
 * activity's code never continues, as if its process had died.
 */
export interface Interruptions {
  /** Plans `act` for the n-th point from now (counted from 1) of a place; default: `work`. */
  plan(points: number, act: Act, place?: Place): void;
  clear(): void;
  /** The number of workers and runs that were lost or paused so far. */
  losses(): number;
  wrap<T extends object>(port: T, notes?: CallNotes, place?: Place): T;
  /** Runs an activity for a writer. Resolves with its result or with the loss that hit it. */
  run<T>(work: () => Promise<T>, hand: string): Promise<{ readonly value: T } | { readonly lost: Loss }>;
}

/**
 * Resolves when the paused code may continue and the other code of its process has reached a point; the caller that resumes it waits for
 * its end.
 */
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
