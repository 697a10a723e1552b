import { Hono } from 'hono';
import { createAdminApp } from '../core/admin.ts';
import { createClock } from '../core/clock.ts';
import { withAdmin } from '../core/dispatch.ts';
import { applyFaults, createFaultPlan } from '../core/faults.ts';
import { createQuota } from '../core/quota.ts';
import { createRequestLog, logRequests } from '../core/request-log.ts';
import type { FetchApp } from '../core/server.ts';
import { openStateFile, type StateFile } from '../core/state-file.ts';
import { createAdminBackend } from './admin-backend.ts';
import { problemBody } from './envelope.ts';
import { answerFault, checkKey, type GatewayEnv, spendQuota } from './gateway.ts';
import { createKeyRing, type KeyRing, type KnownKey, newApiKey } from './keys.ts';
import { methodsAt, nameOf } from './operations.ts';
import { behaviourOf, DEFAULT_PARTNER_ID, DEFAULT_QUOTA, type PartnerSimulatorOptions } from './options.ts';
import { seedPortfolio } from './portfolio.ts';
import { addSalesRoutes } from './sales-routes.ts';
import { createStore, type Store, type StoreSnapshot } from './store.ts';

/** The vendor simulator before it listens. */
export type PartnerSimulator = {
  readonly app: FetchApp;
  /** The simulated API alone, without the admin surface. */
  readonly api: Hono<GatewayEnv>;
  readonly apiKey: string;
  readonly partnerId: string;
  /** Writes the state file, if there is one. */
  close(): Promise<void>;
};

const STATE_FORMAT = 1;
type State = { readonly format: number; readonly store: StoreSnapshot; readonly keys: readonly KnownKey[] };

/** Assembles the vendor simulator. A state file that has data stands in for the seed. */
export function createPartnerSimulator(options: PartnerSimulatorOptions = {}): PartnerSimulator {
  const apiKey = options.apiKey ?? newApiKey();
  const partnerId = options.partnerId ?? DEFAULT_PARTNER_ID;
  const clock = createClock();
  let onChange = (): void => undefined;
  const parts = {
    clock,
    log: createRequestLog(clock),
    faults: createFaultPlan(options.seed ?? 1),
    quota: createQuota(clock, DEFAULT_QUOTA),
    store: createStore(() => onChange()),
    keys: createKeyRing(),
    behaviour: behaviourOf(options),
    partnerId,
  };
  const addKeys = (): void => {
    for (const key of [{ apiKey, partnerId }, ...(options.keys ?? [])]) parts.keys.add(key);
  };
  const reseed = (seed = options.seed): void => {
    parts.store.load(seedSnapshot(seed));
    parts.keys.load([]);
    addKeys();
  };
  const stateFile = options.state === undefined ? undefined : openState(options.state, options, parts);
  onChange = () => stateFile?.touch();
  const saved = stateFile?.initial;
  if (saved !== undefined) loadState(saved, options.state ?? '', parts);
  else reseed();
  addKeys();
  const api = createApi(parts, options.keyHeader ?? 'X-API-Key');
  const admin = createAdminApp(createAdminBackend({ ...parts, reseed }));
  return { app: withAdmin(api, admin), api, apiKey, partnerId, close: async () => stateFile?.close() };
}

type ApiParts = Omit<Parameters<typeof createAdminBackend>[0], 'reseed'> & { readonly keys: KeyRing };

function createApi(parts: ApiParts, keyHeader: string): Hono<GatewayEnv> {
  const { clock, log, faults, quota, keys } = parts;
  const api = new Hono<GatewayEnv>();
  const named = (c: { req: { method: string; path: string } }) => nameOf(c.req.method, c.req.path);
  api.use(
    logRequests(log, named),
    checkKey(keys, keyHeader),
    spendQuota(quota),
    applyFaults({ faults, log, nameOf: named, answer: (c, fault) => answerFault(c, fault, clock.now()) }),
  );
  addSalesRoutes(api, parts);
  api.notFound((c) => {
    const methods = methodsAt(c.req.path);
    const status = methods.length === 0 ? 404 : 405;
    if (methods.length > 0) c.header('Allow', methods.join(', '));
    const message = 'path: the interface has no such operation.';
    return c.json(problemBody({ status, code: 'SANDBOX_INVALID', message }, clock.now(), false), status);
  });
  api.onError((_error, c) => {
    const problem = { status: 500, code: 'SANDBOX_FAULT', message: 'The sandbox itself failed.' } as const;
    return c.json(problemBody(problem, clock.now(), false), 500);
  });
  return api;
}

function seedSnapshot(seed: number | string | undefined): StoreSnapshot {
  return { lastNumber: 0, leadOpportunities: [], portfolioItems: seed === 'empty' ? [] : seedPortfolio() };
}

function openState(
  path: string,
  options: PartnerSimulatorOptions,
  parts: { readonly store: Store; readonly keys: KeyRing },
): StateFile {
  return openStateFile({
    path,
    snapshot: (): State => ({
      format: STATE_FORMAT,
      store: parts.store.snapshot(),
      keys: parts.keys.list(),
    }),
    notify: options.notify ?? (() => undefined),
  });
}

function loadState(
  saved: unknown,
  path: string,
  parts: { readonly store: Store; readonly keys: KeyRing },
): void {
  const state = saved as Partial<State> | null;
  if (state?.format !== STATE_FORMAT || state.store === undefined || state.keys === undefined) {
    throw new Error(`${path} is no state of this simulator's version. Move it away, or choose another file.`);
  }
  parts.store.load(state.store);
  parts.keys.load(state.keys);
}
